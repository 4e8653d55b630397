from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from haenyeo.collect.links.steering import MOST_RULES, Course, read_course, write_course
from haenyeo.model.errors import CollectionError, NotThereError, UsageError
from haenyeo.model.pages import Url
from haenyeo.store import Store
from haenyeo.web.changing import change_rule, judge, steer
from haenyeo.web.crawler import Crawler
from haenyeo.web.desk import Desk
from haenyeo.web.queries.one_page import said_of
from haenyeo.web.queries.records import rule_named


@pytest.fixture
def folder(shop: Path) -> Path:
    return shop


@pytest.fixture
def crawler(folder: Path) -> Iterator[Crawler]:
    made = Crawler(folder)
    yield made
    made.close()


def test_a_verdict_counts_at_once(desk: Desk) -> None:
    judge(desk, Url("https://a.example/1"), "divers", good=False)
    with desk.reading() as store:
        assert said_of(store, "https://a.example/1") == {"divers": False}
    desk.look()
    assert desk.columns.pages["kept"].tolist()[1] is False


def test_a_pattern_is_blocked_boosted_and_forgotten(desk: Desk, folder: Path) -> None:
    assert steer(desk, "*.shop.example", "block").block == ("*.shop.example",)
    assert steer(desk, "/news/", "boost").boost == ("/news/",)
    assert steer(desk, "*.shop.example", "forget").block == ()
    assert read_course(folder).boost == ("/news/",)


@pytest.mark.parametrize(("pattern", "action"), [("", "block"), ("x.example", "fly"), ("*", "block")])
def test_a_wish_that_cannot_be_meant_changes_nothing(desk: Desk, folder: Path, pattern: str, action: str) -> None:
    with pytest.raises(UsageError):
        steer(desk, pattern, action)
    assert read_course(folder) == Course()


def test_there_is_a_limit_to_rules_but_one_can_be_taken_back(desk: Desk, folder: Path) -> None:
    write_course(folder, Course(block=tuple(f"{number}.example" for number in range(MOST_RULES))))
    with pytest.raises(UsageError, match="take one back first"):
        steer(desk, "more.example", "boost")
    assert len(steer(desk, "0.example", "forget").block) == MOST_RULES - 1


def test_a_repair_is_accepted_and_reverted(desk: Desk, crawler: Crawler, folder: Path) -> None:
    accepted = change_rule(desk, crawler, "goods", "accept")
    assert (len(accepted.versions), accepted.pending) == (2, None)
    assert accepted.versions[-1].why == "repaired, accepted by the user"
    with Store.open(folder, writing=False) as store:
        assert len(rule_named(store, "goods").versions) == 2
    assert len(change_rule(desk, crawler, "goods", "revert").versions) == 1


def test_what_cannot_be_accepted_or_reverted_is_said_so(desk: Desk, crawler: Crawler) -> None:
    for action in ("revert", "fly", ""):
        with pytest.raises(CollectionError, match="nothing to accept or revert"):
            change_rule(desk, crawler, "goods", action)
    with pytest.raises(NotThereError, match="no rule"):
        change_rule(desk, crawler, "bads", "accept")
