"""What a rebuild makes of the records: chains of redirects, refusals, errors that were tried again, shared payloads."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from haenyeo.collect.collection import Collection, Overrides, create_collection
from haenyeo.collect.rebuild.rebuild import Rebuilt, rebuild
from haenyeo.collect.settings_file import read_settings
from haenyeo.collect.visit.soft_gone import nowhere
from haenyeo.model.config import FetchSettings, Topic
from haenyeo.model.errors import StoreError
from haenyeo.store import Store
from haenyeo.store.archive import archived_files
from haenyeo.store.rebuilding import RebuildingStore

Pages = dict[str, tuple[dict[str, str], str]]
HTML = {"Content-Type": "text/html"}
LONG = "<p>" + " ".join(f"word{number}" for number in range(400)) + "</p>"
APOLOGY = "<title>Sorry</title><p>The page you want was not found on this server, it may have been moved.</p>"
LINKED = ("/a", "/moved", "/away", "/gone", "/copy", "/pic", "/lost", "/lost2")
SITE: Pages = {
    "/": (
        HTML,
        "<title>Start</title><p>All about reefs and their corals, first page.</p>"
        + "".join(f"<a href={path}>{path}</a>" for path in LINKED),
    ),
    "/a": (HTML, f"<title>A</title>{LONG}<a href=/b>b</a>"),
    "/b": (HTML, "<title>B</title><p>The last of the pages, on anemones and sponges.</p><a href=/again>again</a>"),
    "/copy": (HTML, f"<title>A</title>{LONG}<a href=/b>b</a>"),
    "/moved": ({"Status": "301", "Location": "/moved2"}, ""),
    "/moved2": ({"Status": "302", "Location": "/there"}, ""),
    "/there": (HTML, "<title>There</title><p>Where the redirects lead, a page on sea grass.</p>"),
    "/away": ({"Status": "302", "Location": "/a"}, ""),
    "/again": ({"Status": "503", "Retry-After": "0"}, "later"),
    "/lost": (HTML, APOLOGY),
    "/lost2": (HTML, APOLOGY),
    "/robots.txt": ({"Content-Type": "text/plain"}, "User-agent: *\nDisallow: /none\nSitemap: HERE/map.xml\n"),
    "/map.xml": (
        {"Content-Type": "application/xml"},
        "<urlset><url><loc>HERE/listed</loc></url><url><loc>HERE/none</loc></url></urlset>",
    ),
    "/listed": (HTML, "<title>Listed</title><p>Only the sitemap knows this page, on sea urchins.</p>"),
    "/pic": ({"Content-Type": "image/png"}, "no page"),
}


@pytest.fixture
def reefs(tmp_path: Path, serve: Callable[[Pages], str]) -> Path:
    """A collection of that site, crawled."""
    folder = tmp_path / "reefs"
    pages = dict(SITE)
    here = serve(pages)
    pages |= {path: (headers, body.replace("HERE", here)) for path, (headers, body) in SITE.items()}
    pages[nowhere(here).removeprefix(here)] = (HTML, APOLOGY)
    topic = Topic(words="reefs", seeds=(f"{here}/",))
    create_collection(folder, topic, fetch=FetchSettings(allow_private=("127.0.0.0/8",)))
    settings = folder / "haenyeo.toml"
    text = settings.read_text(encoding="utf-8").replace('scorer = "default"', 'scorer = "bfs"')
    settings.write_text(text, encoding="utf-8")
    with Collection.open(folder) as opened:
        for _ in opened.crawl(minutes=0.05, overrides=Overrides(delay=0.0)):
            pass
    return folder


def rebuilt(folder: Path) -> Rebuilt:
    with RebuildingStore.take_up(folder) as store:
        result = asyncio.run(rebuild(store, read_settings(folder), lambda _done, _all: None))
        store.finish()
    return result


def contents(folder: Path) -> list[Any]:
    with Store.open(folder, writing=False) as store:
        pages = list(store.pages(kept_only=False))
        said: list[Any] = [
            (page.url, page.outcome, page.kept, page.text, page.depth, page.visits)
            for page in pages
            if page.status  # what gave no answer is in no archive
        ]
        visits = [visit for page in pages for visit in store.visits(page.url) if visit.archive]
        said += sorted((visit.at, visit.url, visit.outcome, visit.start, visit.size, visit.found) for visit in visits)
        return [*said, store.counts().kept]


def waiting(folder: Path) -> set[str]:
    with Store.open(folder, writing=False) as store:
        refs = [ref for batch in store.waiting() for ref in batch.refs.tolist()]
        return {link.url.rpartition("/")[2] for link in store.links(refs)}


@pytest.mark.slow
def test_every_kind_of_answer_comes_back_as_it_was(reefs: Path) -> None:
    before, waited = contents(reefs), waiting(reefs)
    with Store.open(reefs, writing=False) as store:
        assert "soft 404" in {page.reason for page in store.pages(kept_only=False)}
    (reefs / "haenyeo.db").unlink()
    assert rebuilt(reefs).lost == 0
    assert contents(reefs) == before
    assert waiting(reefs) == waited | {"none"}, "what robots.txt refuses is in no archive, and waits again"


@pytest.mark.slow
def test_a_damaged_file_is_read_up_to_the_damage(reefs: Path) -> None:
    path = archived_files(reefs)[0]
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    result = rebuilt(reefs)
    assert result.unread[0].startswith(path.name)
    assert result.pages > 0


def test_without_an_archive_there_is_nothing_to_make_it_from(tmp_path: Path) -> None:
    create_collection(tmp_path / "reefs", Topic(words="reefs", seeds=("https://a.example/",)))
    with pytest.raises(StoreError, match="no files in archive/"):
        RebuildingStore.take_up(tmp_path / "reefs")


def test_a_folder_whose_database_is_missing_is_not_begun_anew(tmp_path: Path) -> None:
    create_collection(tmp_path / "reefs", Topic(words="reefs", seeds=("https://a.example/",)))
    (tmp_path / "reefs" / "haenyeo.db").unlink()
    (tmp_path / "reefs" / "archive" / "haenyeo-20260101000000-00001.warc.gz").write_bytes(b"x")
    for writing in (True, False):
        with pytest.raises(StoreError, match="is missing") as caught:
            Store.open(tmp_path / "reefs", writing=writing)
        assert "haenyeo rebuild" in caught.value.advice
