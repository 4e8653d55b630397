from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from haenyeo.collect.links.steering import read_course


class Reply(NamedTuple):
    status: int
    headers: dict[str, str]
    text: str


Ask = Callable[..., Reply]


def test_hosts_are_blocked_boosted_and_let_go(ask: Ask, folder: Path) -> None:
    ask("/frontier/steer", {"pattern": "*.shop.example", "action": "block"})
    ask("/frontier/steer", {"pattern": "/news/", "action": "boost"})
    assert read_course(folder).block == ("*.shop.example",)
    assert "/news/" in ask("/frontier").text
    ask("/frontier/steer", {"pattern": "*.shop.example", "action": "forget"})
    assert read_course(folder).block == ()
    assert ask("/frontier/steer", {"pattern": "*", "action": "block"}).status == 400
    assert ask("/frontier/steer", {"pattern": "x", "action": "fly"}).status == 400
