"""Crawls for a topic on the demo web: what is found, kept, learnt, and known again after a restart."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from haenyeo.cli.app import haenyeo
from haenyeo.collect.collection import Collection, Overrides, create_collection
from haenyeo.demo import Address, DemoWeb
from haenyeo.demo.truth import TopicTruth
from haenyeo.html.urls import canonical
from haenyeo.model.config import FetchSettings, Topic

pytestmark = pytest.mark.slow
Web = tuple[DemoWeb, Address]
PAGES = 150


def make(folder: Path, topic: TopicTruth, *, like: bool = True) -> Path:
    settings = Topic(words=topic.words, seeds=topic.seeds)
    if like:
        settings = Topic(words=topic.words, seeds=topic.seeds, like=topic.like, unlike=topic.unlike)
    create_collection(folder, settings, fetch=FetchSettings(allow_private=("127.0.0.0/8",)))
    return folder


def crawl(folder: Path, scorer: str = "default", pages: int = PAGES) -> set[str]:
    """Crawl, and give the addresses of all pages fetched so far."""
    with Collection.open(folder) as collection:
        for _ in collection.crawl(pages=pages, overrides=Overrides(delay=0.0, scorer=scorer)):
            pass
        return {page.url for page in collection.store.pages(kept_only=False)}


def share(found: set[str], topic: TopicTruth) -> float:
    wanted = topic.relevant - set(topic.like)
    return len(wanted & found) / len(wanted)


@pytest.fixture
def topic(web: Web) -> TopicTruth:
    return web[0].topics()[0]


def test_a_crawl_for_a_topic_finds_more_of_it_than_breadth_first(topic: TopicTruth, tmp_path: Path) -> None:
    learned = share(crawl(make(tmp_path / "learned", topic)), topic)
    plain = share(crawl(make(tmp_path / "plain", topic), "bfs"), topic)
    assert learned > 1.5 * plain


def test_most_of_what_is_kept_is_on_the_topic(topic: TopicTruth, tmp_path: Path) -> None:
    folder = make(tmp_path / "divers", topic)
    crawl(folder)
    with Collection.open(folder, writing=False) as collection:
        kept = {page.url: page.relevance for page in collection.pages()}
    assert all(0 <= value <= 1 for values in kept.values() for value in values.values())
    assert len(kept.keys() & topic.relevant) > 0.5 * len(kept)
    assert set(topic.like) <= kept.keys(), "pages the user likes belong to the collection"
    assert not set(topic.unlike) & kept.keys()


def test_examples_do_not_count_as_pages(topic: TopicTruth, tmp_path: Path) -> None:
    fetched = crawl(make(tmp_path / "divers", topic), pages=10)
    examples = {*topic.like, *topic.unlike}
    assert examples <= fetched
    assert 10 <= len(fetched - examples) <= 14


def test_words_alone_find_the_topic(topic: TopicTruth, tmp_path: Path) -> None:
    words = share(crawl(make(tmp_path / "words", topic, like=False)), topic)
    plain = share(crawl(make(tmp_path / "plain", topic, like=False), "bfs"), topic)
    assert words > plain


def test_a_killed_crawl_finds_as_much_as_an_unbroken_one(topic: TopicTruth, tmp_path: Path) -> None:
    whole = share(crawl(make(tmp_path / "whole", topic), pages=2 * PAGES), topic)
    folder = make(tmp_path / "killed", topic)
    command = [sys.executable, "-m", "haenyeo", "crawl", str(folder), "--pages", str(2 * PAGES), "--delay", "0", "-q"]
    running = subprocess.Popen(command, start_new_session=True)
    deadline = time.monotonic() + 60
    fetched = 0
    while fetched < PAGES and time.monotonic() < deadline:
        time.sleep(0.2)
        with Collection.open(folder, writing=False) as collection:
            fetched = collection.store.counts().fetched
    os.killpg(running.pid, signal.SIGKILL)
    running.wait()
    with Collection.open(folder, writing=False) as collection:
        fetched = collection.store.counts().fetched
    broken = share(crawl(folder, pages=max(1, 2 * PAGES - fetched + len(topic.like) + len(topic.unlike))), topic)
    assert broken > whole - 0.15


def asked(*arguments: str) -> str:
    """What a command says."""
    result = CliRunner().invoke(haenyeo, arguments)
    assert result.exit_code == 0, result.output
    return result.output


def test_why_tells_of_pages_kept_links_waiting_and_addresses_refused(topic: TopicTruth, tmp_path: Path) -> None:
    folder = make(tmp_path / "divers", topic)
    crawl(folder, pages=60)
    with Collection.open(folder, writing=False) as collection:
        store = collection.store
        kept = next(page.url for page in store.pages() if page.depth > 0 and page.url not in topic.like)
        links = store.links(next(iter(store.waiting())).refs.tolist())
        waiting = next(link.url for link in reversed(links) if link.anchor)  # nothing is said of a feed
    told = json.loads(asked("why", str(folder), kept, "--json"))
    assert told["state"] == "kept"
    assert told["sources"][0]["page"]
    assert told["opinions"][0]["relevance"] >= 0.5
    assert any('"' in reason["what"] for reason in told["opinions"][0]["reasons"]), "words are named"
    told = json.loads(asked("why", str(folder), waiting, "--json"))
    assert told["state"] == "waiting"
    assert 0 <= told["place"] < told["waiting"]
    assert told["opinions"][0]["reasons"]
    assert "your good example" in asked("why", str(folder), topic.like[0])
    assert "never found" in asked("why", str(folder), "http://nowhere.example/")


def test_a_judgement_takes_effect_at_once(topic: TopicTruth, tmp_path: Path) -> None:
    folder = make(tmp_path / "divers", topic, like=False)
    crawl(folder, pages=60)
    with Collection.open(folder, writing=False) as collection:
        kept = next(page.url for page in collection.store.pages())
    done = json.loads(asked("judge", str(folder), kept, "no", "--json"))
    assert done["fetched"]
    with Collection.open(folder, writing=False) as collection:
        page = collection.store.page(kept)
    assert page
    assert not page.kept
    assert list(page.relevance.values()) == [0.0]
    assert "bad example" in asked("why", str(folder), kept)
    asked("judge", str(folder), topic.like[0], "yes")
    address = canonical(topic.like[0])
    assert address in crawl(folder, pages=1), "it is fetched when the next crawl starts"
    with Collection.open(folder, writing=False) as collection:
        page = collection.store.page(topic.like[0])
    assert page
    assert page.kept
