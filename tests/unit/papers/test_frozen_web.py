from __future__ import annotations

import json
from pathlib import Path

import pytest

from haenyeo.find.faithful.cosine import CosinePriority
from haenyeo.model.errors import UsageError
from haenyeo.model.pages import Url
from haenyeo.papers.frozen_web import frozen_web


def test_a_folder_without_pages_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"pages\.jsonl"):
        frozen_web(tmp_path)


def test_the_demo_web_can_be_crawled_without_a_server() -> None:
    web = frozen_web(None)
    topic = next(iter(web.topics.values()))
    assert len(web.crawl(None, topic, 5)) == 5


def test_pages_are_known_by_their_links_and_numbers(folder: Path) -> None:
    web = frozen_web(folder)
    hub = web.page(Url("http://a.example/hub"))
    assert hub is not None
    assert len(hub.links) == 12
    assert hub.targets[0] == web.number(Url("http://a.example/whale0"))
    assert web.page(Url("http://a.example/none")) is None
    deeper = web.page(Url("http://a.example/hub"), depth=3)
    assert deeper is not None
    assert (hub.depth, deeper.depth) == (0, 3)


def test_without_a_scorer_pages_come_breadth_first(folder: Path) -> None:
    web = frozen_web(folder)
    fetched = [page.url.rpartition("/")[2] for page in web.crawl(None, web.topics["whales"], 99)]
    assert fetched[0] == "hub"
    assert len(fetched) == len(set(fetched)) == 13


def test_a_scorer_leads_to_the_topic_first_and_examples_do_not_count(folder: Path) -> None:
    web = frozen_web(folder)
    topic = web.topics["whales"]
    fetched = [page.url.rpartition("/")[2] for page in web.crawl(CosinePriority(words=topic.keywords), topic, 5)]
    assert fetched == ["hub", *fetched[1:]]
    assert all(name.startswith("whale") for name in fetched[1:])
    assert not {"whale0", "whale1"} & set(fetched)


def test_topics_must_be_as_described(folder: Path) -> None:
    (folder / "topics.json").write_text(json.dumps({"whales": {"words": "x"}}), encoding="utf-8")
    with pytest.raises(UsageError, match=r"topics\.json"):
        frozen_web(folder)
