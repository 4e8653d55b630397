"""The user corrects the topic: a page is a good example, or a bad one, and everything learnt takes it in at once."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path

import msgspec

from haenyeo.collect.adapters.finding.handing import Correction, UserVerdict, answer, hand_over, handed, settle
from haenyeo.collect.adapters.finding.parts import finding_of, stored_traps
from haenyeo.collect.adapters.finding.topics import JUDGED
from haenyeo.model.config import Settings
from haenyeo.model.errors import CollectionBusyError, UsageError
from haenyeo.model.pages import Url
from haenyeo.store import Store
from haenyeo.store.lock import writer_of

PATIENCE = 10.0  # seconds that another process gets to take a verdict up
_NAP = 0.1


def judge(
    folder: Path, settings: Settings, url: Url, *, relevant: bool, topic: str = "", patience: float = PATIENCE
) -> Correction:
    """Let the user's word on a page count at once, also while another process crawls: that one is told then.

    It has `patience` seconds to take it up, before `Correction.taken_up` says that it will do so later.
    """
    verdict = UserVerdict(url=url, topic=_topic(settings, topic), relevant=relevant)
    try:
        with Store.open(folder, writing=True) as store:
            return judge_here(store, settings, verdict)
    except CollectionBusyError:
        return _judge_elsewhere(folder, settings, verdict, patience)


def judge_opened(store: Store, settings: Settings, url: Url, *, relevant: bool, topic: str = "") -> Correction:
    """The same for a collection that is open for writing here."""
    return judge_here(store, settings, UserVerdict(url=url, topic=_topic(settings, topic), relevant=relevant))


def judge_here(store: Store, settings: Settings, verdict: UserVerdict) -> Correction:
    """Note the user's word on a page, teach the topic's scorer, and judge the pages it remembers again."""
    left = [(path, note(store, other)) for path, other in handed(store.folder) if other.topic in settings.topic]
    done = note(store, verdict)
    _, finder = finding_of(store, settings, stored_traps(store))
    finder.remember()
    gained, lost = finder.judge_again()
    store.flush()
    for path, other in left:
        settle(path, other)
    return done.counted(gained, lost)


def note(store: Store, verdict: UserVerdict) -> Correction:
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


def _judge_elsewhere(folder: Path, settings: Settings, verdict: UserVerdict, patience: float) -> Correction:
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
