from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class Reply(NamedTuple):
    status: int
    headers: dict[str, str]
    text: str


Ask = Callable[..., Reply]


def test_sites_are_drawn_wide_and_narrow(ask: Ask) -> None:
    shown = ask("/sites").text
    assert shown.count("<svg") >= 2
    assert 'href="/sites/b.example"' in shown


def test_a_site_that_only_waits_can_be_looked_at(ask: Ask) -> None:
    shown = ask("/sites/b.example")
    assert shown.status == 200
    assert "No change of layout" in shown.text
