"""What the parts have told, in words for people: events are read by what they say, whichever part wrote them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

import msgspec

from haenyeo.html.urls import site_of
from haenyeo.model.pages import Url
from haenyeo.store import StoredEvent

GRAVE = frozenset({"broken", "trouble", "rollback"})


class Happening(msgspec.Struct, frozen=True, kw_only=True):
    """An event to show: `grade` is alarm, notice, repair or news."""

    id: int
    at: datetime
    kind: str
    url: str
    grade: str
    facts: dict[str, Any]

    @property
    def title(self) -> str:
        """It in a few words."""
        words = _MOVED if self.facts.get("moves") and not self.facts.get("lines") else _TITLES.get(self.kind, self.kind)
        return words.format_map(_Facts(self.facts, grade=self.grade))

    @property
    def site(self) -> str:
        """The site it happened on."""
        return str(self.facts.get("site") or site_of(Url(self.url)))

    @property
    def reasons(self) -> Sequence[str]:
        """What was found, one a line."""
        given = self.facts.get("why") or self.facts.get("broken") or ()
        lost = self.facts.get("dropped") or ()
        without = [f"goes on without: {', '.join(map(str, lost))}"] if lost else []
        return [*without, *(str(reason) for reason in given)][:5]


class _Facts(dict[str, Any]):
    """The facts of an event; one that is not there is left out of the sentence."""

    def __missing__(self, key: str) -> str:
        return ""


_TITLES = {
    "layout": "layout {grade}: {template}",
    "repair": "rule {rule} repaired, version {version}",
    "broken": "rule {rule} is broken",
    "proposed": "rule {rule} is broken, repair proposed",
    "rollback": "rule {rule} rolled back to version {version}",
    "works": "rule {rule} works again",
    "content": "content changed, {lines} lines",
    "title": "title changed: {after}",
    "records": "records: {new} new, {gone} gone, {changed} changed",
    "relearn": "redesigned: how to read it is learnt anew",
    "trouble": "no answer: {reason}",
    "back": "answers again",
}
_MOVED = "moved, nothing else is different; lines: {moves}"


def happening(event: StoredEvent) -> Happening:
    """The event as it is shown; one that is no JSON has no facts."""
    try:
        facts = msgspec.json.decode(event.data) if event.data else {}
    except msgspec.DecodeError:
        facts = {}
    facts = facts if isinstance(facts, dict) else {}
    return Happening(id=event.id, at=event.at, kind=event.kind, url=event.url, grade=_grade(event, facts), facts=facts)


def alarms(events: Iterable[StoredEvent], since: datetime) -> list[Happening]:
    """What happened to layouts and rules since then, the newest first."""
    recent = [happening(event) for event in events if event.at >= since and event.kind in _TITLES]
    return [told for told in reversed(recent) if told.grade != "news"]


def _grade(event: StoredEvent, facts: dict[str, Any]) -> str:
    if event.kind == "layout":
        return "alarm" if facts.get("grade") == "alarm" else "notice"
    if event.kind in GRAVE:
        return "alarm"
    return {"repair": "repair", "works": "repair", "proposed": "notice"}.get(event.kind, "news")
