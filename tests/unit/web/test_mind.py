from __future__ import annotations

from pathlib import Path

import numpy as np

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
        assert mind.why_page(page) == {}
        assert mind.why_link(store.links([1])[0]) == ()
        assert mind.opinion is None


def test_what_was_learnt_is_taken_up_once(desk: Desk, folder: Path) -> None:
    judge(desk, Url("https://a.example/0"), "divers", good=True)
    with Store.open(folder, writing=False) as store:
        mind = Mind(store, read_settings(folder))
        assert mind.look()
        assert not mind.look()
        page = store.page("https://a.example/0")
        assert page is not None
        assert list(mind.why_page(page)) == ["divers"]
        assert mind.opinion is not None
        assert np.all(np.diff(mind.opinion.keys.astype(np.int64)) > 0)
