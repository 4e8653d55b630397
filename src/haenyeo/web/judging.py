"""The user's own verdicts on pages, written where the crawler finds them."""

from __future__ import annotations

import msgspec

from haenyeo.collect.adapters.finding import judging
from haenyeo.collect.adapters.finding.resume import JUDGED
from haenyeo.model.pages import Url
from haenyeo.store import Store
from haenyeo.web.desk import Desk

PATIENCE = 3.0  # seconds that a view waits for a crawl to take a verdict up
_verdicts = msgspec.msgpack.Decoder(dict[str, bool])


def said_of(store: Store, url: str) -> dict[str, bool]:
    """What the user said about a page, by topic."""
    value = store.state(JUDGED, url)
    return _verdicts.decode(value) if value else {}


def judge(desk: Desk, url: Url, topic: str, *, good: bool) -> None:
    """Let the verdict count at once; a crawl under way takes it up while it goes on."""
    judging.judge(desk.folder, desk.settings, url, relevant=good, topic=topic, patience=PATIENCE)
    desk.judged()
