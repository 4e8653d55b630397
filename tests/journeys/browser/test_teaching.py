"""Teaching in the browser: ten questions about pages of the demo web, answered as they should be."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect

from haenyeo.collect.collection import Collection, Overrides, create_collection
from haenyeo.collect.crawl.loop import Budget
from haenyeo.demo import Address, DemoWeb
from haenyeo.model.config import FetchSettings, Topic
from haenyeo.store import Store
from haenyeo.web.serving import Served, listen, serving_in_thread

pytestmark = pytest.mark.slow

QUESTIONS = 10


@pytest.fixture
def taught(web: tuple[DemoWeb, Address], tmp_path: Path) -> Iterator[Served]:
    """The dashboard of a crawl that was given words and one example."""
    topic = web[0].topics()[0]
    settings = Topic(words=topic.words, like=topic.like[:1], seeds=topic.seeds)
    create_collection(tmp_path / "divers", settings, fetch=FetchSettings(allow_private=("127.0.0.0/8",)))

    async def crawl() -> None:
        async with collection.crawling(Overrides(delay=0.0)) as crawling:
            await crawling.run(Budget(pages=150))

    with Collection.open(tmp_path / "divers") as collection, ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(crawl())).result()
    opened = listen(tmp_path / "divers")
    with serving_in_thread(opened):
        yield opened


def _right_and_kept(folder: Path, relevant: frozenset[str]) -> tuple[float, float]:
    """Precision and recall of what is kept."""
    with Store.open(folder, writing=False) as store:
        pages = [(page.url in relevant, page.kept) for page in store.judgements()]
    hits = sum(right and kept for right, kept in pages)
    return hits / max(1, sum(kept for _, kept in pages)), hits / max(1, sum(right for right, _ in pages))


@pytest.mark.parametrize("context", [{"viewport": {"width": 390, "height": 800}}, {}], indirect=True)
def test_ten_answers_make_what_is_kept_better(
    context: BrowserContext, taught: Served, web: tuple[DemoWeb, Address], tmp_path: Path
) -> None:
    relevant = web[0].topics()[0].relevant
    folder = tmp_path / "divers"
    before = _right_and_kept(folder, relevant)
    page = context.new_page()
    page.goto(taught.url)
    page.get_by_role("link", name="Teach").click()
    expect(page.get_by_role("heading", name="Teach")).to_be_visible()
    began = page.locator(".tile", has_text="Precision").locator("dd").inner_text()
    expect(page.get_by_role("button", name="Yes")).to_be_in_viewport(ratio=1)
    answers = 0
    while answers < QUESTIONS and page.locator(".teach").count():
        address = page.locator(".teach .address a").get_attribute("href") or ""
        page.get_by_role("button", name="Yes" if address in relevant else "No").click()
        answers += 1
        expect(page.locator(".tile", has_text="Answers").locator("dd")).to_have_text(str(answers))
        expect(page.locator(".tile", has_text="Precision")).to_contain_text(f"{began} when you began")
    assert answers >= 3
    precision, recall = _right_and_kept(folder, relevant)
    harmonic = 2 * precision * recall / max(1e-9, precision + recall)
    assert precision >= before[0] - 0.02, "precision rises"
    assert harmonic > 2 * before[0] * before[1] / max(1e-9, sum(before)) - 0.01, "and not at the cost of recall"
    page.get_by_role("button", name="Undo the last answer").click()
    expect(page.locator(".tile", has_text="Answers").locator("dd")).to_have_text(str(answers - 1))
    page.close()
