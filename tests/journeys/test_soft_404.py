"""A page is gone in disguise if it says what its server says of an address that cannot exist, and only then."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from named_web import NOT_FOUND, NamedWeb, Reply, article, crawled, made, served

from haenyeo.cli.app import run
from haenyeo.collect.collection import Collection
from haenyeo.collect.events import PageVisited
from haenyeo.model.visits import Outcome

pytestmark = pytest.mark.slow
HOST = "www.reef.test"
PROSE = "women divers bring up abalone, conch and seaweed on one breath from the cold sea of the island " * 4
PAGES = 8


def near_copies(number: str) -> Reply:
    """Pages that speak of 404 and differ in a number only."""
    links = "".join(f'<li><a href="/p/{other}">page {other}</a></li>' for other in range(400, 400 + PAGES))
    return Reply(
        f"<title>404 and more: {number}</title><h1>Error 404 not found, case {number}</h1><p>{PROSE}</p>{links}"
    )


@contextmanager
def site(*, soft: bool) -> Iterator[NamedWeb]:
    """A site of near copies and dead links; what is not there is answered with 404, or with 200 if it is `soft`."""
    sorry = "<title>Sorry</title><p>The page {} was not found. Try our search, or go back to where you came from.</p>"

    def answer(path: str) -> Reply:
        if path == "/robots.txt":
            return NOT_FOUND
        if path == "/":
            dead = [f"/dead/{number}" for number in range(5)]
            return article("Home", "/p/400", *dead)
        number = path.removeprefix("/p/")
        if number.isdigit() and 400 <= int(number) < 400 + PAGES:
            return near_copies(number)
        return Reply(sorry.format(path)) if soft else NOT_FOUND

    web = NamedWeb(HOST)
    web.hosts[HOST] = answer
    with served(web):
        yield web


@pytest.mark.parametrize("soft", [False, True])
def test_pages_about_404_that_resemble_each_other_are_kept(soft: bool, tmp_path: Path) -> None:
    with site(soft=soft) as web:
        result = crawled(made(tmp_path / "c", web.url(HOST)), web)
    assert result.kept >= {web.url(HOST), *(web.url(HOST, f"/p/{400 + number}") for number in range(PAGES))}
    probes = [path for path in web.paths(HOST) if path.startswith("/haenyeo-")]
    assert len(probes) == 1, "one address that cannot exist is asked for"


def test_what_a_server_says_of_nothing_is_no_page(tmp_path: Path) -> None:
    with site(soft=True) as web:
        result = crawled(made(tmp_path / "c", web.url(HOST)), web)
    dead = [event for event in result.told if isinstance(event, PageVisited) and "/dead/" in event.url]
    assert [event.outcome for event in dead[1:]] == [Outcome.GONE] * 4
    assert {event.reason for event in dead[1:]} == {"soft 404"}
    assert len([url for url in result.kept if "/dead/" in url]) <= 1


def test_a_rebuild_comes_to_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "c"
    with site(soft=True) as web:
        before = crawled(made(folder, web.url(HOST)), web).kept
    settings = folder / "haenyeo.toml"
    settings.write_text(settings.read_text().replace('scorer = "default"', 'scorer = "bfs"'))
    (folder / "haenyeo.db").unlink()
    assert run(["rebuild", str(folder)]) == 0, capsys.readouterr().err
    with Collection.open(folder, writing=False) as opened:
        assert {page.url for page in opened.pages()} == before
        assert not [page for page in opened.store.pages(kept_only=False) if "/haenyeo-" in page.url]
