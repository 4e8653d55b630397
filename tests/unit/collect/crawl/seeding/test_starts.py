"""Crawls that were given no address, over real servers: a search engine, a file, feeds the collection has read."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from haenyeo.collect.collection import Collection, Overrides, create_collection
from haenyeo.collect.settings_file import FILE_NAME
from haenyeo.model.config import FetchSettings, SeedSettings, Topic
from haenyeo.model.errors import UsageError
from haenyeo.model.registry import names

Pages = dict[str, tuple[dict[str, str], str]]
Serve = Callable[[Pages], str]
HTML = {"Content-Type": "text/html; charset=utf-8"}
JSON = {"Content-Type": "application/json"}
FEED = {"Content-Type": "application/rss+xml"}
REEF = (HTML, "<title>Reef</title><p>A coral reef is built by corals, and fish live in it.")


def make(folder: Path, engine: str = "", *, extra: str = "", **topic: tuple[str, ...]) -> None:
    settings = Topic(words="coral reef", seeds=topic.get("seeds", ()))
    fetch = FetchSettings(allow_private=("127.0.0.0/8",))
    create_collection(folder, settings, fetch=fetch, seeds=SeedSettings(searxng=engine))
    file = folder / FILE_NAME
    file.write_text(file.read_text(encoding="utf-8").replace("[seeds]", f"[seeds]\n{extra}"), encoding="utf-8")


def crawl(folder: Path, scorer: str = "bfs") -> set[str]:
    """The addresses of all pages fetched so far."""
    with Collection.open(folder) as collection:
        for _ in collection.crawl(pages=20, overrides=Overrides(delay=0.0, scorer=scorer)):
            pass
        return {page.url for page in collection.store.pages(kept_only=False)}


def results(*urls: str) -> tuple[dict[str, str], str]:
    return JSON, json.dumps({"query": "coral reef", "results": [{"url": url, "title": "x"} for url in urls]})


def question(page: int) -> str:
    return f"/search?format=json&pageno={page}&q=coral+reef"


def test_a_search_engine_is_asked_page_by_page_until_nothing_is_new(serve: Serve, tmp_path: Path) -> None:
    site = serve({"/a": REEF, "/b": REEF, "/c": REEF})
    answers = {
        question(1): results(f"{site}/a", "mailto:x@example.org", f"{site}/b"),
        question(2): results(f"{site}/b", f"{site}/c"),
        question(3): results(f"{site}/c"),
        "/robots.txt": ({"Content-Type": "text/plain"}, "User-agent: *\nDisallow: /"),
    }
    make(tmp_path / "reefs", serve(answers))
    assert {f"{site}/a", f"{site}/b", f"{site}/c"} <= crawl(tmp_path / "reefs")


def test_what_a_search_found_is_remembered(serve: Serve, tmp_path: Path) -> None:
    site = serve({"/a": REEF, "/b": REEF})
    answers = {question(1): results(f"{site}/a")}
    make(tmp_path / "reefs", serve(answers))
    crawl(tmp_path / "reefs")
    answers[question(1)] = results(f"{site}/b")
    assert f"{site}/b" not in crawl(tmp_path / "reefs")


def test_a_search_engine_on_a_private_network_does_not_open_that_network_to_the_crawl(
    serve: Serve, tmp_path: Path
) -> None:
    site = serve({"/a": REEF})
    make(tmp_path / "reefs", serve({question(1): results(f"{site}/a")}))
    file = tmp_path / "reefs" / FILE_NAME
    text = file.read_text(encoding="utf-8").replace('allow_private = ["127.0.0.0/8"]', "allow_private = []")
    file.write_text(text, encoding="utf-8")
    with Collection.open(tmp_path / "reefs") as collection:
        for _ in collection.crawl(overrides=Overrides(delay=0.0, scorer="bfs")):
            pass
        page = collection.store.page(f"{site}/a")
    assert page
    assert page.outcome == "refused"


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (({"Status": "403", **HTML}, "no"), "403"),
        ((HTML, "<p>results for people"), "did not answer in JSON"),
        (({"Status": "302", "Location": "http://127.0.0.1:1/"}, ""), "redirect to another server"),
        (results(), "the collection has no seeds"),
    ],
)
def test_a_search_without_results_says_what_to_do(
    serve: Serve, tmp_path: Path, answer: tuple[dict[str, str], str], said: str
) -> None:
    make(tmp_path / "reefs", serve({question(1): answer}))
    with pytest.raises(UsageError, match="the collection has no seeds") as caught:
        crawl(tmp_path / "reefs")
    assert said in str(caught.value)
    assert caught.value.advice


def test_a_file_of_addresses_comes_before_a_search(serve: Serve, tmp_path: Path) -> None:
    site = serve({"/a": REEF, "/b": REEF})
    make(tmp_path / "reefs", serve({question(1): results(f"{site}/b")}), extra='file = "starts.txt"')
    (tmp_path / "reefs" / "starts.txt").write_text(f"# mine\n\n{site}/a\n", encoding="utf-8")
    fetched = crawl(tmp_path / "reefs")
    assert f"{site}/a" in fetched
    assert f"{site}/b" not in fetched


def test_a_line_that_is_no_address_is_named(tmp_path: Path) -> None:
    make(tmp_path / "reefs", extra='file = "starts.txt"')
    (tmp_path / "reefs" / "starts.txt").write_text("coral\n", encoding="utf-8")
    with pytest.raises(UsageError, match="'coral' is not an http"):
        crawl(tmp_path / "reefs")


def test_feeds_the_collection_has_read_start_a_topic_without_seeds(serve: Serve, tmp_path: Path) -> None:
    feed = "<rss><channel><item><link>{0}/new</link></item><item><link>{0}/</link></item></channel></rss>"
    pages: Pages = {
        "/": (HTML, "<title>Start</title><link rel=alternate type=application/rss+xml href=/feed><p>Hello"),
        "/feed": (FEED, "<rss><channel></channel></rss>"),
        "/new": REEF,
    }
    site = serve(pages)
    make(tmp_path / "reefs", seeds=(f"{site}/",))
    assert f"{site}/new" not in crawl(tmp_path / "reefs")
    pages["/feed"] = FEED, feed.format(site)
    file = tmp_path / "reefs" / FILE_NAME
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("[seeds]", '[topic.fish]\nwords = "fish"\n\n[seeds]'), encoding="utf-8")
    assert f"{site}/new" in crawl(tmp_path / "reefs")


def test_without_any_source_the_error_names_them(tmp_path: Path) -> None:
    make(tmp_path / "reefs")
    with pytest.raises(UsageError, match="the collection has no seeds") as caught:
        crawl(tmp_path / "reefs")
    assert "searxng" in caught.value.advice


def test_sources_are_found_like_other_parts() -> None:
    assert {"feeds", "file", "searxng"} <= set(names("seeds"))
