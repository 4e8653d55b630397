"""The user corrects the topic: a page is a good example, or a bad one, and everything learnt takes it in at once."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path

import msgspec

from haenyeo.collect.adapters.finding.handing import Correction, UserVerdict, answer, hand_over, handed, settle
from haenyeo.collect.adapters.finding.parts import finding_of, stored_traps
from haenyeo.collect.adapters.finding.said import last_verdict, note
from haenyeo.model.config import Settings
from haenyeo.model.errors import CollectionBusyError, UsageError
from haenyeo.model.pages import Url
from haenyeo.store import Store
from haenyeo.store.lock import writer_of
from haenyeo.store.shards.opening import open_store

PATIENCE = 10.0  # seconds that another process gets to take a verdict up
_NAP = 0.1


def judge(
    folder: Path, settings: Settings, url: Url, *, relevant: bool, topic: str = "", patience: float = PATIENCE
) -> Correction:
    """Let the user's word on a page count at once, also while another process crawls: that one is told then.

    It has `patience` seconds to take it up, before `Correction.taken_up` says that it will do so later.
    """
    verdict = UserVerdict(url=url, topic=topic_of(settings, topic), relevant=relevant)
    return pronounce(folder, settings, verdict, patience=patience)


def undo(folder: Path, settings: Settings, *, topic: str = "", url: str = "", patience: float = PATIENCE) -> Correction:
    """Take back the last verdict, or the last one on this page, as if it had never been given."""
    name = topic_of(settings, topic)
    with open_store(folder, writing=False) as store:
        verdict = last_verdict(store, name)
    if url:
        verdict = msgspec.structs.replace(verdict, url=Url(url))
    return pronounce(folder, settings, verdict, patience=patience)


def pronounce(folder: Path, settings: Settings, verdict: UserVerdict, *, patience: float = PATIENCE) -> Correction:
    """Let a verdict count at once, or have it taken up by the process that works on the collection."""
    try:
        with Store.open(folder, writing=True) as store:
            return judge_here(store, settings, verdict)
    except CollectionBusyError:
        return _judge_elsewhere(folder, settings, verdict, patience)


def judge_opened(store: Store, settings: Settings, url: Url, *, relevant: bool, topic: str = "") -> Correction:
    """The same for a collection that is open for writing here."""
    return judge_here(store, settings, UserVerdict(url=url, topic=topic_of(settings, topic), relevant=relevant))


def judge_here(store: Store, settings: Settings, verdict: UserVerdict) -> Correction:
    """Note the user's word on a page, teach the topic's scorer, and judge the pages it remembers again."""
    waiting = [(path, other) for path, other in handed(store.folder) if other.topic in settings.topic]
    _, finder = finding_of(store, settings, stored_traps(store))
    left = [(path, note(store, other)) for path, other in waiting]
    done = note(store, verdict)
    gained, lost = finder.hear([*(other for _, other in waiting), verdict])
    finder.remember()
    store.flush()
    for path, other in left:
        settle(path, other)
    return done.counted(gained, lost)


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
    with open_store(folder, writing=False) as store:
        fetched = store.page(verdict.url) is not None
    return Correction(url=verdict.url, topic=verdict.topic, relevant=verdict.relevant, fetched=fetched, taken_up=False)


def topic_of(settings: Settings, name: str) -> str:
    """The topic of this name, or the only one; raises `UsageError` if that is none, or not the only one."""
    names = list(settings.topic)
    if name in names:
        return name
    if name or len(names) != 1:
        raise UsageError(
            f"there is no topic {name!r}" if name else "there are several topics",
            advice=f"name one of them with --topic: {', '.join(names)}",
        )
    return names[0]
