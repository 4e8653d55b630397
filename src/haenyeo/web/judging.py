"""The user's own verdicts on pages, written where the crawler finds them."""

from __future__ import annotations

import msgspec

from haenyeo.store import Store
from haenyeo.web.crawler import Crawler
from haenyeo.web.desk import Desk

PART = "judged"

_verdicts = msgspec.msgpack.Decoder(dict[str, bool])


def said_of(store: Store, url: str) -> dict[str, bool]:
    """What the user said about a page, by topic."""
    value = store.state(PART, url)
    return _verdicts.decode(value) if value else {}


def judge(desk: Desk, crawler: Crawler, url: str, topic: str, *, good: bool) -> None:
    """Write the verdict down and let it count at once; a crawl under way is held for that moment."""
    with crawler.held(), Store.open(desk.folder, writing=True) as store:
        verdicts = {**said_of(store, url), topic: good}
        store.put_state(PART, url, msgspec.msgpack.encode(verdicts))
        page = store.page(url)
        if page is not None:
            store.rejudge(url, {**page.relevance, topic: 1.0 if good else 0.0}, kept=any(verdicts.values()))
    if page is not None:
        desk.changed([page.id])
