"""The collection in Python: the same crawl with `async for`, and with plain `for`."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

import haenyeo
from haenyeo.collect.collection import create_collection
from haenyeo.demo import Address, DemoWeb
from haenyeo.model.config import FetchSettings

pytestmark = pytest.mark.slow
Web = tuple[DemoWeb, Address]
AT_ONCE = haenyeo.Overrides(delay=0.0, scorer="bfs")


@pytest.fixture
def folder(web: Web, tmp_path: Path) -> Path:
    topic = web[0].topics()[0]
    create_collection(
        tmp_path / "divers",
        haenyeo.Topic(words=topic.words, seeds=topic.seeds),
        fetch=FetchSettings(allow_private=("127.0.0.0/8",)),
    )
    return tmp_path / "divers"


def test_pages_come_with_async_for(folder: Path) -> None:
    async def crawl() -> list[haenyeo.Page]:
        async with haenyeo.Collection.open(folder) as collection:
            return [page async for page in collection.crawl(pages=30, overrides=AT_ONCE)]

    pages = asyncio.run(crawl())
    assert len({page.url for page in pages}) == len(pages) >= 25
    assert all(page.text for page in pages)


def test_pages_come_with_plain_for_and_leaving_early_keeps_them(folder: Path) -> None:
    with haenyeo.Collection.open(folder) as collection:
        seen = []
        for page in collection.crawl(overrides=AT_ONCE):
            seen.append(page.url)
            if len(seen) == 10:
                break
        kept = [page.url for page in collection.pages()]
    assert set(seen) <= set(kept)
    assert len(kept) < 1000


def test_the_public_names_are_these() -> None:
    assert sorted(haenyeo.__all__) == [
        "Collection",
        "Document",
        "HaenyeoError",
        "Overrides",
        "Page",
        "Rule",
        "Topic",
        "compare_layouts",
        "describe_layout",
        "extract_site",
        "learn_rule",
        "make_planner",
        "repair_rule",
    ]
    for name in haenyeo.__all__:
        assert getattr(haenyeo, name).__name__ == name
    with pytest.raises(AttributeError):
        _ = haenyeo.nothing
