"""The dashboard in a real Chromium, over a collection crawled from the demo web.

Where no Chromium is installed these journeys are left out, and the end of the test run says so.
"""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from haenyeo.collect.collection import Collection, Overrides, create_collection
from haenyeo.collect.crawl.assembly import parts_of
from haenyeo.collect.crawl.loop import Budget
from haenyeo.collect.service.rounds import Lesson, Round
from haenyeo.demo import DAY, Address, DemoWeb, serve_in_thread
from haenyeo.model.config import FetchSettings, Topic
from haenyeo.model.pages import Document, Url
from haenyeo.model.visits import Answer, Hop, Outcome
from haenyeo.store import PageRecord, Store
from haenyeo.web.serving import Served, listen, serving_in_thread

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)
collect_ignore_glob = [] if BROWSER else ["test_*.py"]

INJECTION = "<script>document.title = 'taken'</script><img src=x onerror=\"document.title='taken'\">"
LIST = "/goods?cat=all"
PATIENCE = 45_000  # milliseconds; on a busy machine a crawl needs many to start and to stop


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say that something was left out."""
    if not BROWSER:
        terminalreporter.write_line(
            "no Chromium is installed: the dashboard's journeys in a browser were left out (apt install chromium)"
        )


@pytest.fixture(scope="module")
def web() -> Iterator[tuple[DemoWeb, Address]]:
    """A demo web of its own: its clock is turned."""
    demo = DemoWeb()
    with serve_in_thread(demo) as address:
        yield demo, address


@pytest.fixture(scope="module")
def served(web: tuple[DemoWeb, Address], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The dashboard of a collection with some pages, a rule whose repair waits, and a page that is an attack."""
    demo, _ = web
    folder = tmp_path_factory.mktemp("browser") / "divers"
    topic = demo.topics()[0]
    settings = Topic(words=topic.words, like=topic.like, unlike=topic.unlike, seeds=topic.seeds)
    create_collection(folder, settings, fetch=FetchSettings(allow_private=("127.0.0.0/8",)))
    with Collection.open(folder) as collection:
        with ThreadPoolExecutor(1) as thread:  # the browser's own event loop may run in this one
            thread.submit(lambda: asyncio.run(_fill(collection, demo))).result()
        collection.store.save(_attack())
    opened = listen(folder)
    with serving_in_thread(opened):
        desk = opened.app.state.desk
        desk.look()
        yield opened


async def _fill(collection: Collection, demo: DemoWeb) -> None:
    """Crawl some pages, learn a rule, and see its list once more after the shop's redesign."""
    async with collection.crawling(Overrides(delay=0.0)) as crawl:
        await crawl.run(Budget(pages=150))
    settings = Overrides(delay=0.0).applied_to(collection.settings)
    url = Url(demo.url("harbourshop", LIST))
    async with parts_of(collection.store, settings) as parts:
        await Round(parts).learn(Lesson(url=url))
        demo.clock.now = 6 * DAY
        await parts.visitor.revisit(url)


def _attack() -> PageRecord:
    """A page whose title and text are scripts."""
    url = Url("https://attack.example/")
    hop = Hop(
        url=url,
        status=200,
        headers=(("Content-Type", "text/html"),),
        body=f"<title>x</title><p>{INJECTION}</p>".encode(),
        at=datetime.now(UTC),
    )
    return PageRecord(
        answer=Answer(url=url, final_url=url, outcome=Outcome.PAGE, status=200, content_type="text/html", hops=(hop,)),
        site="attack.example",
        at=datetime.now(UTC),
        document=Document(url=url, title=INJECTION, text=f"{INJECTION} attackword"),
        relevance={"attack": 1.0},
        kept=True,
    )


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium, started once."""
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENCE)
    assert BROWSER is not None
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=BROWSER, args=arguments)
        yield chromium
        chromium.close()


@pytest.fixture
def context(browser: Browser, request: pytest.FixtureRequest) -> Iterator[BrowserContext]:
    """A window of its own; a test may ask for other looks by an indirect parameter."""
    looks = {"viewport": {"width": 1280, "height": 900}, **getattr(request, "param", {})}
    opened = browser.new_context(**looks)
    opened.set_default_timeout(PATIENCE)
    yield opened
    opened.close()


@pytest.fixture
def page(context: BrowserContext, served: Served) -> Iterator[Page]:
    """The dashboard opened by its printed address; at the end nothing must have gone wrong in the browser."""
    wrong: list[str] = []
    base = served.url.partition("/?")[0]
    opened = context.new_page()
    opened.on("console", lambda said: wrong.append(f"console: {said.text}") if said.type == "error" else None)
    opened.on("pageerror", lambda error: wrong.append(f"error: {error}"))
    opened.on("dialog", lambda dialog: wrong.append(f"dialog: {dialog.message}"))
    opened.on("request", lambda asked: None if asked.url.startswith((base, "data:")) else wrong.append(asked.url))
    opened.goto(served.url)
    yield opened
    assert wrong == []


@pytest.fixture
def folder(served: Served) -> Path:
    """Where the collection is."""
    found: Path = served.app.state.desk.folder
    return found


@pytest.fixture
def reading(folder: Path) -> Iterator[Store]:
    """The collection, for a look beside the dashboard."""
    with Store.open(folder, writing=False) as store:
        yield store
