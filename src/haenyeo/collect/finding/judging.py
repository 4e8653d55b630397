"""The user corrects the topic: a page is a good example, or a bad one, and everything learnt takes it in at once."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice

import msgspec

from haenyeo.collect.finding.parts import finding_of
from haenyeo.collect.finding.resume import JUDGED
from haenyeo.collect.finding.topical import TopicFinder
from haenyeo.find.traps import Traps
from haenyeo.model.config import Settings
from haenyeo.model.errors import UsageError
from haenyeo.model.pages import Url
from haenyeo.model.visits import Outcome
from haenyeo.store import Store, StoredPage

_MOST_JUDGED_AGAIN = 5_000  # pages, the newest
_CHANGED = 0.05


class Correction(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a judgement; a page that was never `fetched` will be when the next crawl starts."""

    url: Url
    topic: str
    relevant: bool
    fetched: bool
    now_kept: int = 0
    no_longer_kept: int = 0


def judge(store: Store, settings: Settings, url: Url, *, relevant: bool, topic: str = "") -> Correction:
    """Note the user's word on a page, teach the topic's scorer, and judge the pages it remembers again."""
    name = _topic(settings, topic)
    known = store.state(JUDGED, url)
    told = msgspec.msgpack.decode(known, type=dict[str, bool]) if known else {}
    store.put_state(JUDGED, url, msgspec.msgpack.encode({**told, name: relevant}))
    page = store.page(url)
    if page is not None:
        kept = relevant or any(value for other, value in told.items() if other != name)
        store.rejudge(page.url, {**page.relevance, name: float(relevant)}, kept=kept)
    traps = Traps()
    traps.load(dict(store.states("traps")))
    _, finder = finding_of(store, settings, traps)
    gained = lost = 0
    if isinstance(finder, TopicFinder):
        finder.remember()
        gained, lost = _judge_again(store, finder)
    store.flush()
    return Correction(
        url=url, topic=name, relevant=relevant, fetched=page is not None, now_kept=gained, no_longer_kept=lost
    )


def _topic(settings: Settings, name: str) -> str:
    names = list(settings.topic)
    if name in names:
        return name
    if name or len(names) != 1:
        raise UsageError(
            f"there is no topic {name!r}" if name else "there are several topics",
            advice=f"name one of them with --topic: {', '.join(names)}",
        )
    return names[0]


def _judge_again(store: Store, finder: TopicFinder) -> tuple[int, int]:
    """How many pages are kept that were not before, and the reverse."""
    gained = lost = 0
    last = store.counts()
    first = max(0, last.asked + last.moved - _MOST_JUDGED_AGAIN)
    for page in list(islice(store.pages(kept_only=False, after=first), _MOST_JUDGED_AGAIN)):
        if page.outcome is not Outcome.PAGE or page.reason or page.url in finder.told:
            continue
        now = _relevance(finder, page)
        if all(abs(value - page.relevance.get(name, 0.0)) < _CHANGED for name, value in now.items()):
            continue
        kept = finder.wants(now)
        store.rejudge(page.url, now, kept=kept)
        gained, lost = gained + (kept and not page.kept), lost + (page.kept and not kept)
    return gained, lost


def _relevance(finder: TopicFinder, page: StoredPage) -> Mapping[str, float]:
    key = finder.key(page.url)
    now = {name: topic.scorer.relevance(key) for name, topic in finder.topics.items()}
    return {**page.relevance, **{name: value for name, value in now.items() if value is not None}}
