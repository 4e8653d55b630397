from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as ET

import pytest


class Reply(NamedTuple):
    status: int
    headers: dict[str, str]
    text: str


Ask = Callable[..., Reply]


@pytest.fixture
def folder(shop: Path) -> Path:
    return shop


@pytest.mark.parametrize(
    ("path", "media", "items"),
    [
        ("/changes.atom", "application/atom+xml", "{http://www.w3.org/2005/Atom}entry"),
        ("/changes.rss", "application/rss+xml", "channel/item"),
    ],
)
def test_changes_come_as_feeds(ask: Ask, path: str, media: str, items: str) -> None:
    reply = ask(path)
    assert reply.headers["content-type"].startswith(media)
    told = ET.fromstring(reply.text).findall(items)
    assert told
    assert ET.fromstring(ask(f"{path}?kind=relearn").text).findall(items) == []
