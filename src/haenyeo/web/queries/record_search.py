"""All records together: by their sources, by product, category or any other field, over time, and by words.

Cho, Lee & Choi 2013, figure 3, shows what customers say in shops like this: the records of many lists on one screen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date, datetime

import msgspec

from haenyeo.collect.adapters.watching.shelf import Shelf
from haenyeo.html.urls import site_of
from haenyeo.store import Store, StoredRow

MOST_VALUES = 12
"""Values of a field, sources and days that are counted on the screen."""
LONGEST_VALUE = 60
"""Letters of a value by which records are counted; longer ones are texts."""
_ADDRESS = "://"


class RecordQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked: words in any field, a source, a field to count by and one of its values, and from which day on."""

    q: str = ""
    source: str = ""
    field: str = ""
    value: str = ""
    since: str = ""
    sort: str = "newest"
    offset: int = 0
    limit: int = 25

    @property
    def day(self) -> date | None:
        """The day from which on records are wanted; None if none is said, or no day."""
        try:
            return date.fromisoformat(self.since)
        except ValueError:
            return None


class RecordsFound(msgspec.Struct, frozen=True, kw_only=True):
    """What fits the question, and how it is spread.

    `by_source` and `by_value` are counted without their own filter, so that another can be chosen; `by_day` has the
    days on which records were first seen, the last of them first; `fields` are those that can be counted by.
    """

    rows: Sequence[StoredRow]
    total: int
    columns: Sequence[str]
    by_source: Sequence[tuple[str, int]]
    by_value: Sequence[tuple[str, int]]
    by_day: Sequence[tuple[str, int]]
    fields: Sequence[str]
    field: str


def find_records(store: Store, asked: RecordQuestion) -> RecordsFound:
    """The records of all rules that fit the question."""
    everything = [row for rule in Shelf(store) for row in store.rows(rule.name)]
    fields = countable(everything)
    field = asked.field if asked.field in fields else (fields[0] if fields else "")
    worded = [row for row in everything if _has_words(row, asked.q.lower().split()) and _is_since(row, asked.day)]
    of_source = [row for row in worded if not asked.source or source_of(row) == asked.source]
    of_value = [row for row in of_source if not asked.value or row.fields.get(field, "") == asked.value]
    ordered = sorted(of_value, key=lambda row: _order(row, asked.sort), reverse=asked.sort != "oldest")
    shown = ordered[asked.offset : asked.offset + asked.limit] if asked.limit else ordered
    return RecordsFound(
        rows=shown,
        total=len(of_value),
        columns=list(
            dict.fromkeys(name for row in shown for name, value in row.fields.items() if not is_address(value))
        ),
        by_source=_counted(source_of(row) for row in worded),
        by_value=_counted(row.fields.get(field, "") for row in of_source) if field else [],
        by_day=_by_day(of_value),
        fields=fields,
        field=field,
    )


def source_of(row: StoredRow) -> str:
    """Where a record comes from: the site of the page it stands on."""
    return site_of(row.page)


def is_address(value: str) -> bool:
    """Whether a value is an address, which is followed and not read."""
    return _ADDRESS in value[:10]


def address_of(row: StoredRow) -> str:
    """The address that a record links to, or else that of its list."""
    return next(filter(is_address, row.fields.values()), row.page)


def countable(rows: Sequence[StoredRow]) -> list[str]:
    """The fields by whose values records can be counted, those first whose values most records share with others.

    So categories come before names. Addresses and texts are none of them; a field that is the same everywhere is last.
    """
    values: dict[str, Counter[str]] = {}
    for row in rows:
        for name, value in row.fields.items():
            values.setdefault(name, Counter())[value] += 1
    short = {
        name: counts
        for name, counts in values.items()
        if all(not is_address(value) and len(value) <= LONGEST_VALUE for value in counts)
    }
    return sorted(short, key=lambda name: (len(short[name]) == 1, -_shared(short[name]), len(short[name]), name))


def _shared(counts: Counter[str]) -> float:
    """The share of records whose value another record has, too."""
    return sum(count for count in counts.values() if count > 1) / counts.total()


def _has_words(row: StoredRow, words: Sequence[str]) -> bool:
    said = " ".join(row.fields.values()).lower() if words else ""
    return all(word in said for word in words)


def _is_since(row: StoredRow, day: date | None) -> bool:
    return day is None or row.last_at.date() >= day


def _order(row: StoredRow, sort: str) -> tuple[datetime, str]:
    return (row.changed_at if sort == "changed" else row.first_at), row.key


def _counted(values: Iterable[str]) -> list[tuple[str, int]]:
    counts = Counter(value for value in values if value)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:MOST_VALUES]


def _by_day(rows: Sequence[StoredRow]) -> list[tuple[str, int]]:
    counts = Counter(row.first_at.date().isoformat() for row in rows)
    return sorted(counts.items(), reverse=True)[:MOST_VALUES]
