"""What has the user said of pages, in which order? Every verdict is stored with what was said before, to be undone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

import msgspec

from haenyeo.collect.adapters.finding.handing import Correction, UserVerdict
from haenyeo.collect.adapters.finding.topics import JUDGED, VERDICTS
from haenyeo.html.urls import canonical
from haenyeo.model.config import Topic
from haenyeo.model.errors import UsageError
from haenyeo.model.pages import Url
from haenyeo.model.parts import SaidHow
from haenyeo.store import Store

_MOST = 10_000  # verdicts on a topic that can be undone


class SpokenVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """A verdict: when it was given, and what had been said of the page before, if anything."""

    url: Url
    relevant: bool
    at: datetime
    asked: bool = False
    before: bool | None = None


_spoken = msgspec.msgpack.Decoder(list[SpokenVerdict])
_judged = msgspec.msgpack.Decoder(dict[str, bool])


def verdicts_on(store: Store, topic: str) -> Sequence[SpokenVerdict]:
    """All verdicts on a topic's pages that were not taken back, first to last."""
    stored = store.state(VERDICTS, topic)
    return _spoken.decode(stored) if stored else []


def last_verdict(store: Store, topic: str) -> UserVerdict:
    """The last verdict, to be undone; raises `UsageError` if there is none."""
    spoken = verdicts_on(store, topic)
    if not spoken:
        raise UsageError(
            "there is no verdict to take back", advice="verdicts are given with: haenyeo judge NAME URL yes|no"
        )
    return UserVerdict(url=spoken[-1].url, topic=topic, relevant=spoken[-1].relevant, undone=True)


def told_by_user(topics: Mapping[str, Topic], store: Store) -> dict[Url, dict[str, bool]]:
    """Which pages the user gave as good or bad examples, in the settings or, which counts more, by `judge`."""
    told: dict[Url, dict[str, bool]] = {}
    for name, topic in topics.items():
        for examples, relevant in ((topic.unlike, False), (topic.like, True)):
            for example in examples:
                if address := canonical(example):
                    told.setdefault(address, {})[name] = relevant
    for url, verdict in store.states(JUDGED):
        if said := _judged.decode(verdict):
            told.setdefault(Url(url), {}).update(said)
    return told


def standings(store: Store) -> dict[Url, SaidHow]:
    """How the user came to speak of the pages he judged."""
    asked = {said.url: said.asked for topic, _ in store.states(VERDICTS) for said in verdicts_on(store, topic)}
    judged = [Url(url) for url, verdict in store.states(JUDGED) if _judged.decode(verdict)]
    return {url: "asked" if asked.get(url) else "volunteered" for url in judged}


def note(store: Store, verdict: UserVerdict) -> Correction:
    """Store the user's word on a page, or that he takes it back; the page is kept, or not, as he says."""
    known = store.state(JUDGED, verdict.url)
    told = _judged.decode(known) if known else {}
    said = _taken_back(store, verdict) if verdict.undone else _spoken_now(store, verdict, told)
    told.pop(verdict.topic, None)
    if said is not None:
        told[verdict.topic] = said
    store.put_state(JUDGED, verdict.url, msgspec.msgpack.encode(told))
    page, kept = store.page(verdict.url), any(told.values())
    done = Correction(
        url=verdict.url,
        topic=verdict.topic,
        relevant=verdict.relevant,
        fetched=page is not None,
        undone=verdict.undone,
    )
    if page is None or verdict.undone:
        return done
    store.rejudge(page.url, {**page.relevance, verdict.topic: float(verdict.relevant)}, kept=kept)
    return done.counted(int(kept and not page.kept), int(page.kept and not kept))


def _spoken_now(store: Store, verdict: UserVerdict, told: dict[str, bool]) -> bool:
    """Add a verdict to the list; returns what the user says of the page now."""
    spoken = SpokenVerdict(
        url=verdict.url,
        relevant=verdict.relevant,
        at=datetime.now(UTC),
        asked=verdict.asked,
        before=told.get(verdict.topic),
    )
    _put(store, verdict.topic, [*verdicts_on(store, verdict.topic), spoken])
    return verdict.relevant


def _taken_back(store: Store, verdict: UserVerdict) -> bool | None:
    """Take the last verdict on a page off the list; returns what the user says of the page then, if anything."""
    spoken = list(verdicts_on(store, verdict.topic))
    places = [place for place, said in enumerate(spoken) if said.url == verdict.url]
    if not places:
        return None
    taken = spoken.pop(places[-1])
    _put(store, verdict.topic, spoken)
    return taken.before


def _put(store: Store, topic: str, spoken: Sequence[SpokenVerdict]) -> None:
    store.put_state(VERDICTS, topic, msgspec.msgpack.encode(spoken[-_MOST:]))
