"""Changes worth telling, as typed events: stored beside the pages, shown by `haenyeo changes`, sent to hooks."""

from __future__ import annotations

from datetime import datetime
from typing import Literal, TypeGuard

import msgspec

from haenyeo.collect.events import Event
from haenyeo.model.pages import Url
from haenyeo.store import NewEvent, StoredEvent
from haenyeo.watch.differences import LineEdit

Grade = Literal["alarm", "notice"]
Rows = tuple[dict[str, str], ...]
Selectors = tuple[tuple[str, str], ...]
"""Names of fields, empty for the record, and CSS."""


class ContentChanged(Event, frozen=True, kw_only=True):
    """A page says something else; `share` is the part of its text that is not the same, `lines` how many are not.

    `edited` are lines that were edited, with the words that went and came marked; `moved` are the first of `moves`
    lines that stand elsewhere now. Where `lines` is 0 nothing else is different, and `share` is the part that moved.
    """

    url: Url
    site: str
    share: float
    lines: int
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    edited: tuple[LineEdit, ...] = ()
    moved: tuple[str, ...] = ()
    moves: int = 0


class TitleChanged(Event, frozen=True, kw_only=True):
    """A page has another title."""

    url: Url
    site: str
    before: str
    after: str


class LayoutChanged(Event, frozen=True, kw_only=True):
    """A kind of pages looks different: an alarm when what we took from it is gone, else a notice."""

    url: Url
    site: str
    template: str
    grade: Grade
    score: float
    why: tuple[str, ...] = ()


class RuleRepaired(Event, frozen=True, kw_only=True):
    """A rule follows the new layout; `before` and `after` are the first of the rows that both versions find.

    `dropped` are the fields that the new layout does not have, or not surely; the rule goes on without them.
    """

    rule: str
    url: Url
    version: int
    confidence: float
    checked_on: tuple[Url, ...]
    broken: tuple[str, ...] = ()
    before: Rows = ()
    after: Rows = ()
    rows_before: int = 0
    rows_after: int = 0
    old_selectors: Selectors = ()
    new_selectors: Selectors = ()
    dropped: tuple[str, ...] = ()


class RuleProposed(Event, frozen=True, kw_only=True):
    """A rule no longer finds its records, and a repair was found that waits for the next visit or another page."""

    rule: str
    url: Url
    broken: tuple[str, ...]
    confidence: float


class RuleRolledBack(Event, frozen=True, kw_only=True):
    """An earlier version of a rule is in force again: its layout is back, or the repair's values were not like them."""

    rule: str
    url: Url
    version: int
    why: tuple[str, ...]


class RuleBroken(Event, frozen=True, kw_only=True):
    """A rule no longer finds its records, and no other place was sure enough."""

    rule: str
    url: Url
    broken: tuple[str, ...]


class RuleWorks(Event, frozen=True, kw_only=True):
    """A rule that was broken finds its records again as it is; `since` is when it broke."""

    rule: str
    url: Url
    since: datetime | None = None


class FieldEdit(msgspec.Struct, frozen=True, kw_only=True):
    """A value of a record that is another now; `record` is what tells the record apart."""

    record: str
    field: str
    before: str
    after: str


class RecordsChanged(Event, frozen=True, kw_only=True):
    """A list has other records than at the last visit: the first that came and went, the first values edited, counts.

    `new`, `gone` and `changed` count the records.
    """

    rule: str
    url: Url
    new: int = 0
    gone: int = 0
    changed: int = 0
    added: Rows = ()
    removed: Rows = ()
    edited: tuple[FieldEdit, ...] = ()


class ReadingRelearned(Event, frozen=True, kw_only=True):
    """A site was redesigned, and how to read it is learned anew; `containers` held its texts before."""

    url: Url
    site: str
    containers: tuple[str, ...]
    checked_on: tuple[Url, ...]


class PageTrouble(Event, frozen=True, kw_only=True):
    """A watched page does not answer as it should: an error, not a change."""

    url: Url
    status: int
    reason: str


class PageBack(Event, frozen=True, kw_only=True):
    """A watched page answers again."""

    url: Url
    status: int


RuleChange = RecordsChanged | RuleBroken | RuleProposed | RuleRepaired | RuleRolledBack | RuleWorks
Change = ContentChanged | TitleChanged | LayoutChanged | RuleChange | ReadingRelearned | PageTrouble | PageBack

KINDS: dict[str, type[Event]] = {
    "content": ContentChanged,
    "title": TitleChanged,
    "records": RecordsChanged,
    "layout": LayoutChanged,
    "broken": RuleBroken,
    "proposed": RuleProposed,
    "repair": RuleRepaired,
    "rollback": RuleRolledBack,
    "works": RuleWorks,
    "relearn": ReadingRelearned,
    "trouble": PageTrouble,
    "back": PageBack,
}
"""The words under which changes are stored."""

_decoder = msgspec.json.Decoder(Change)
_words = {change: word for word, change in KINDS.items()}


def word_of(change: Change) -> str:
    """The short stable word for a kind of change."""
    return _words[type(change)]


def is_change(event: Event) -> TypeGuard[Change]:
    """Whether something that happened is a change worth telling."""
    return type(event) in _words


def stored(change: Change, at: datetime) -> NewEvent:
    """The change as the store keeps it."""
    return NewEvent(kind=word_of(change), at=at, url=change.url, data=msgspec.json.encode(change))


def restored(event: StoredEvent) -> Change | None:
    """The change that was stored; None for events of other parts."""
    if event.kind not in KINDS:
        return None
    change: Change = _decoder.decode(event.data)
    return change
