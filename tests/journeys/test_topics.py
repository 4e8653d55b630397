"""Several topics in one crawl of the demo web: each has its own frontier, and a page may belong to more than one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from haenyeo.cli.app import haenyeo
from haenyeo.collect.collection import Collection, Overrides
from haenyeo.collect.settings_file import write_settings
from haenyeo.demo import Address, DemoWeb
from haenyeo.model.config import FetchSettings, Settings, Topic
from haenyeo.model.pages import Url
from haenyeo.store import Store
from haenyeo.web.api.answers import LinkSpan
from haenyeo.web.api.asking import Asked
from haenyeo.web.api.reading import frontier
from haenyeo.web.crawler import Crawler
from haenyeo.web.desk import Desk

pytestmark = pytest.mark.slow
Web = tuple[DemoWeb, Address]
PAGES = 150


@pytest.fixture
def folder(web: Web, tmp_path: Path) -> Path:
    """A collection with two of the demo web's topics, and a third that wants what the first wants."""
    first, second = web[0].topics()[:2]
    topics = {
        name: Topic(words=topic.words, seeds=topic.seeds, like=topic.like, unlike=topic.unlike)
        for name, topic in (("one", first), ("two", second), ("same", first))
    }
    Store.create(tmp_path).close()
    write_settings(tmp_path, Settings(topic=topics, fetch=FetchSettings(allow_private=("127.0.0.0/8",))))
    return tmp_path


def crawl(folder: Path, scorer: str) -> None:
    with Collection.open(folder) as collection:
        for _ in collection.crawl(pages=PAGES, overrides=Overrides(delay=0.0, scorer=scorer)):
            pass


def asked(*arguments: str) -> Any:
    result = CliRunner().invoke(haenyeo, [*arguments, "--json"])
    assert result.exit_code == 0, result.output
    return json.loads(result.output)


@pytest.mark.parametrize("scorer", ["default", "segment-backlinks"])
def test_each_topic_has_its_own_frontier(folder: Path, scorer: str) -> None:
    crawl(folder, scorer)
    views = {name: asked("status", str(folder), "--topic", name) for name in ("one", "two", "same")}
    first = {name: [link["url"] for link in view["next"]] for name, view in views.items()}
    assert first["one"]
    assert first["two"]
    assert first["one"] != first["two"], "they want different links"
    assert set(first["one"]) & set(first["same"]), "a link may be in several frontiers"
    desk = Desk(folder)
    try:
        question = LinkSpan(topic="two", limit=5, offset=1)
        found = frontier(Asked(desk=desk, crawler=Crawler(folder), path={}, question=question))
    finally:
        desk.close()
    assert [link.url for link in found.links] == first["two"][1:6]
    assert found.total == views["two"]["waiting"]
    for view in views.values():
        scores = [link["score"] for link in view["next"]]
        assert scores == sorted(scores, reverse=True)
        assert view["waiting"] >= len(scores)


def test_a_page_may_belong_to_several_topics(web: Web, folder: Path) -> None:
    crawl(folder, "default")
    with Collection.open(folder, writing=False) as collection:
        kept = {page.url: page.relevance for page in collection.pages()}
    several = [url for url, relevance in kept.items() if relevance["one"] >= 0.5 and relevance["same"] >= 0.5]
    assert several
    pages = asked("status", str(folder))["topic_pages"]
    assert pages["one"] + pages["two"] + pages["same"] > len(kept)
    for name, topic in zip(("one", "two"), web[0].topics(), strict=False):
        own = {url for url, relevance in kept.items() if relevance[name] >= 0.5}
        assert pages[name] == len(own)
        assert len(own & topic.relevant) > 0.3 * len(own), "both topics were looked for"


def test_a_topic_that_is_not_there_is_told_of(folder: Path) -> None:
    result = CliRunner().invoke(haenyeo, ["status", str(folder), "--topic", "three"])
    assert result.exit_code != 0
    assert "one, two, same" in str(getattr(result.exception, "advice", "")) + result.output


def test_what_one_topic_must_not_find_is_no_page_of_another(web: Web, folder: Path) -> None:
    with Collection.open(folder) as collection:
        for _ in collection.crawl(pages=60, overrides=Overrides(delay=0.0)):
            pass
        first = web[0].topics()[0]
        pages = [collection.store.page(Url(url)) for url in first.unlike]
        assert all(page is not None and page.relevance["two"] < 0.5 for page in pages)
