from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest

from haenyeo.collect.adapters.finding.topical import TopicFinder
from haenyeo.collect.adapters.finding.topics import PART, Checkpoint
from haenyeo.collect.settings_file import read_settings
from haenyeo.model.pages import Url
from haenyeo.store import Store
from haenyeo.web.changing import judge
from haenyeo.web.desk import Desk
from haenyeo.web.mind import Mind


def test_nothing_is_thought_before_a_crawl_has_learnt(folder: Path) -> None:
    with Store.open(folder, writing=False) as store:
        mind = Mind(store, read_settings(folder))
        assert not mind.look()
        page = store.page("https://a.example/0")
        assert page is not None
        assert mind.why_page(page, store) == {}
        assert mind.why_links(store.links([1]), store) == {1: ()}
        assert mind.opinion is None


def test_what_was_learnt_is_taken_up_once(desk: Desk, folder: Path) -> None:
    judge(desk, Url("https://a.example/0"), "divers", good=True)
    with Store.open(folder, writing=False) as store:
        mind = Mind(store, read_settings(folder))
        assert mind.look()
        assert not mind.look()
        page = store.page("https://a.example/0")
        assert page is not None
        assert list(mind.why_page(page, store)) == ["divers"]
        assert mind.opinion is not None
        assert np.all(np.diff(mind.opinion.keys.astype(np.int64)) > 0)


def test_pages_read_since_the_crawl_stored_what_it_learnt_are_not_read_again(
    desk: Desk, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge(desk, Url("https://a.example/0"), "divers", good=True)
    with Store.open(folder, writing=True) as store:
        learnt = msgspec.msgpack.decode(store.state(PART, "divers") or b"", type=Checkpoint)
        store.put_state(PART, "divers", msgspec.msgpack.encode(msgspec.structs.replace(learnt, page=0)))

    def refused(*_: object) -> None:
        pytest.fail("read a page again")

    monkeypatch.setattr(TopicFinder, "read_again", refused)
    with Store.open(folder, writing=False) as store:
        assert Mind(store, read_settings(folder)).look()


def test_links_are_explained_from_another_thread_than_the_one_that_looks(desk: Desk, folder: Path) -> None:
    judge(desk, Url("https://a.example/0"), "divers", good=True)
    with Store.open(folder, writing=False) as own, Store.open(folder, writing=False) as other:
        mind = Mind(own, read_settings(folder))
        assert mind.look()
        own.close()
        links = other.links([1, 2])
        assert set(mind.why_links(links, other)) == {1, 2}
