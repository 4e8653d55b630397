from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class Reply(NamedTuple):
    status: int
    headers: dict[str, str]
    text: str


def test_numbers_are_given_to_whoever_collects_them(ask: Callable[..., Reply]) -> None:
    reply = ask("/metrics", headers={})
    assert reply.status == 200
    assert reply.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert "haenyeo_pages_kept 3" in reply.text
    assert "Women divers" not in reply.text
