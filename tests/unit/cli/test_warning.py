from __future__ import annotations

from typing import Literal

import pytest

from haenyeo.cli.warning import warning_of
from haenyeo.collect.adapters.watching.changes import LayoutChanged, RuleBroken
from haenyeo.collect.events import ClockSet, Event, NetworkBack, NetworkLost
from haenyeo.model.pages import Url

LIST = Url("https://shop.example/list")


def layout(grade: Literal["alarm", "notice"]) -> LayoutChanged:
    return LayoutChanged(url=LIST, site="shop.example", template="shop/list", grade=grade, score=1.0, why=())


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (layout("alarm"), "new layout: shop/list"),
        (layout("notice"), ""),
        (RuleBroken(rule="goods", url=LIST, broken=("price", "name")), "rule goods is broken: price; name"),
        (NetworkLost(tried=("a.example",)), "the network is lost; waiting for it"),
        (NetworkBack(seconds=61.4), "the network is back after 61 s"),
        (ClockSet(seconds=-3600.0), "the clock was set by -3600 s"),
    ],
)
def test_what_a_user_should_hear_of_is_said_in_a_line(event: Event, words: str) -> None:
    assert warning_of(event) == words
