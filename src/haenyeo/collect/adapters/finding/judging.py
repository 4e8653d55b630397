"""The user corrects the topic: a page is a good example, or a bad one, and everything learnt takes it in at once."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path

import msgspec

from haenyeo.collect.adapters.finding.handing import Correction, Verdict, answer, hand_over, handed, settle
from haenyeo.collect.adapters.finding.parts import finding_of
from haenyeo.collect.adapters.finding.resume import JUDGED
from haenyeo.collect.adapters.finding.topical import TopicFinder
from haenyeo.find.traps import Traps
from haenyeo.model.config import Settings
from haenyeo.model.errors import CollectionBusyError, UsageError
from haenyeo.model.pages import Url
from haenyeo.model.visits import Outcome
from haenyeo.store import Store, StoredPage
from haenyeo.store.lock import writer_of

_MOST_JUDGED_AGAIN = 5_000  # pages, the newest
_CHANGED = 0.05
PATIENCE = 10.0  # seconds that another process gets to take a verdict up
_NAP = 0.1


def judge(
    folder: Path, settings: Settings, url: Url, *, relevant: bool, topic: str = "", patience: float = PATIENCE
) -> Correction:
    """Let the user's word on a page count at once, also while another process crawls: that one is told then.

    It has `patience` seconds to take it up, before `Correction.taken_up` says that it will do so later.
    """
    verdict = Verdict(url=url, topic=_topic(settings, topic), relevant=relevant)
    try:
        with Store.open(folder, writing=True) as store:
            return judge_here(store, settings, verdict)
    except CollectionBusyError:
        return _judge_elsewhere(folder, settings, verdict, patience)


def judge_here(store: Store, settings: Settings, verdict: Verdict) -> Correction:
    """Note the user's word on a page, teach the topic's scorer, and judge the pages it remembers again."""
    left = [(path, note(store, other)) for path, other in handed(store.folder) if other.topic in settings.topic]
    done = note(store, verdict)
    traps = Traps()
    traps.load(dict(store.states("traps")))
    _, finder = finding_of(store, settings, traps)
    gained = lost = 0
    if isinstance(finder, TopicFinder):
        finder.remember()
        gained, lost = judge_again(store, finder)
    store.flush()
    for path, other in left:
        settle(path, other)
    return done.counted(gained, lost)


def note(store: Store, verdict: Verdict) -> Correction:
    """Store the user's word on a page; it is kept, or not, as he says."""
    url, name = verdict.url, verdict.topic
    known = store.state(JUDGED, url)
    told = msgspec.msgpack.decode(known, type=dict[str, bool]) if known else {}
    store.put_state(JUDGED, url, msgspec.msgpack.encode({**told, name: verdict.relevant}))
    page = store.page(url)
    if page is not None:
        kept = verdict.relevant or any(value for other, value in told.items() if other != name)
        store.rejudge(page.url, {**page.relevance, name: float(verdict.relevant)}, kept=kept)
    return Correction(url=url, topic=name, relevant=verdict.relevant, fetched=page is not None)


def _judge_elsewhere(folder: Path, settings: Settings, verdict: Verdict, patience: float) -> Correction:
    """Hand the verdict to the process that writes; wait until that has taken it up, or has ended."""
    path = hand_over(folder, verdict)
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        time.sleep(_NAP)
        done = answer(path)
        if done is not None:
            return done
        if writer_of(folder) is None:
            with suppress(CollectionBusyError), Store.open(folder, writing=True) as store:
                return judge_here(store, settings, verdict)
    with Store.open(folder, writing=False) as store:
        fetched = store.page(verdict.url) is not None
    return Correction(url=verdict.url, topic=verdict.topic, relevant=verdict.relevant, fetched=fetched, taken_up=False)


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


def judge_again(store: Store, finder: TopicFinder) -> tuple[int, int]:
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
