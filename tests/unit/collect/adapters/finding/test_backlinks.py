"""Links that lead to example pages, out of a file, a function and the pages of a collection, over a real server."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from haenyeo.collect.adapters.finding.backlinks import all_of, from_file, from_store
from haenyeo.collect.adapters.finding.parts import topics_for
from haenyeo.collect.collection import Collection, Overrides, create_collection
from haenyeo.collect.settings_file import FILE_NAME
from haenyeo.find.faithful.segment import SegmentedBacklinks
from haenyeo.find.faithful.semantic import SemanticPriority
from haenyeo.model.config import FetchSettings, Topic, parse_settings
from haenyeo.model.errors import SettingsError
from haenyeo.model.pages import Link, Url
from haenyeo.model.registry import find_part

Serve = Callable[[dict[str, tuple[dict[str, str], str]]], str]
HTML = {"Content-Type": "text/html; charset=utf-8"}
TARGET = Url("https://a.example/reef")
PAGES = {
    "/": (HTML, "<title>Start</title><p>Some say <a href=/reef>the reef</a> is far. <a href=/more>more</a>"),
    "/more": (HTML, "<title>More</title><p>Divers go down to <a href=/reef>corals</a> every morning"),
    "/reef": (HTML, "<title>Reef</title><p>Corals and fish live in the reef."),
}


def make(folder: Path, serve: Serve) -> str:
    site = serve(PAGES)
    settings = Topic(words="coral reef", seeds=(f"{site}/",), like=(f"{site}/reef",))
    create_collection(folder, settings, fetch=FetchSettings(allow_private=("127.0.0.0/8",)))
    return site


def test_a_file_names_links_and_their_words(tmp_path: Path) -> None:
    file = tmp_path / "links.jsonl"
    file.write_text(
        '{"to": "HTTPS://a.example/reef", "anchor": "corals", "before": "down to"}\n\n{"to": "http://b.example"}\n',
        encoding="utf-8",
    )
    known = from_file(file)
    assert [(link.anchor, link.before) for link in known(TARGET)] == [("corals", "down to")]
    assert list(known(Url("https://a.example/other"))) == []
    both = all_of(known, lambda url: [Link(url=url, anchor="mine")])
    assert [link.anchor for link in both(TARGET)] == ["corals", "mine"]


@pytest.mark.parametrize("line", ['{"to": "nowhere"}', '{"from": "x"}', "corals"])
def test_a_line_that_cannot_be_used_is_named(tmp_path: Path, line: str) -> None:
    file = tmp_path / "links.jsonl"
    file.write_text(f'{{"to": "https://a.example/"}}\n{line}\n', encoding="utf-8")
    with pytest.raises(SettingsError, match=r"links.jsonl:2"):
        from_file(file)
    with pytest.raises(SettingsError, match="cannot be read"):
        from_file(tmp_path / "none.jsonl")


def test_the_pages_of_a_collection_tell_which_links_lead_to_a_page(tmp_path: Path, serve: Serve) -> None:
    site = make(tmp_path / "reefs", serve)
    with Collection.open(tmp_path / "reefs") as collection:
        for _ in collection.crawl(overrides=Overrides(delay=0.0, scorer="bfs")):
            pass
        links = list(from_store(collection.store, lambda _: True)(Url(f"{site}/reef")))
    assert {(link.anchor, link.before) for link in links} == {
        ("the reef", "Some say"),
        ("corals", "Divers go down to"),
    }


def test_a_crawl_asks_a_function_for_links_to_its_examples(tmp_path: Path, serve: Serve) -> None:
    site = make(tmp_path / "reefs", serve)
    asked: list[Url] = []

    def backlinks(url: Url) -> list[Link]:
        asked.append(url)
        return [Link(url=url, anchor="corals")]

    with Collection.open(tmp_path / "reefs") as collection:
        overrides = Overrides(delay=0.0, scorer="segment-backlinks", backlinks=backlinks)
        for _ in collection.crawl(overrides=overrides):
            pass
    assert asked == [f"{site}/reef"]


def test_scorers_are_given_what_they_ask_for(tmp_path: Path, serve: Serve) -> None:
    folder = tmp_path / "reefs"
    make(folder, serve)
    (folder / "links.jsonl").write_text('{"to": "https://a.example/reef", "anchor": "corals"}', encoding="utf-8")
    text = (folder / FILE_NAME).read_text(encoding="utf-8") + '\n[ontology]\ncoral = ["animal"]\n'
    settings = parse_settings(text)
    topic = msgspec.structs.replace(settings.topic["coral-reef"], backlinks="links.jsonl")
    settings = msgspec.structs.replace(settings, topic={"coral-reef": topic})
    with Collection.open(folder) as collection:
        made = {
            name: topics_for(find_part("scorers", name), settings, collection.store)["coral-reef"].scorer
            for name in ("spfc", "segment-backlinks", "default")
        }
        semantic, segment = made["spfc"], made["segment-backlinks"]
        assert isinstance(semantic, SemanticPriority)
        assert semantic.ontology == {"coral": ("animal",)}
        assert isinstance(segment, SegmentedBacklinks)
        assert segment.backlinks
        assert [link.anchor for link in segment.backlinks(TARGET)] == ["corals"]
