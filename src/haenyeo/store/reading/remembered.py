"""What parts have remembered: their states, what they told, and the records that rules took."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import msgspec

from haenyeo.model.pages import Url
from haenyeo.store.encoding import microseconds, moment
from haenyeo.store.reading.connected import Connected
from haenyeo.store.records import StateStamp, StoredEvent, StoredRow

STAMP_BYTES = 64


class RememberedReading(Connected):
    """The questions about states, events and records."""

    def state(self, part: str, key: str) -> bytes | None:
        """What a part has remembered under this key."""
        rows = self._rows("SELECT value FROM state WHERE part = ? AND key = ?", (part, key))
        return rows[0][0] if rows else None

    def states(self, part: str) -> Iterator[tuple[str, bytes]]:
        """All that a part has remembered, by key."""
        rows = self._rows("SELECT key FROM state WHERE part = ? ORDER BY key", (part,))
        for (key,) in rows:
            if (value := self.state(part, key)) is not None:
                yield key, value

    def first_states(self, part: str, most: int, after: str = "") -> list[tuple[str, bytes]]:
        """What a part has remembered under the first so many keys, those above `after` only."""
        query = "SELECT key, value FROM state WHERE part = ? AND key > ? ORDER BY key LIMIT ?"
        return self._rows(query, (part, after, most))

    def state_count(self, part: str) -> int:
        """Under how many keys a part has remembered something."""
        return int(self._rows("SELECT count(*) FROM state WHERE part = ?", (part,))[0][0])

    def last_key(self, part: str) -> str:
        """The last key under which a part has remembered something, or nothing."""
        return str(self._rows("SELECT coalesce(max(key), '') FROM state WHERE part = ?", (part,))[0][0])

    def state_keys(self, part: str, containing: str, most: int) -> list[str]:
        """The keys with these letters under which a part has remembered something."""
        query = "SELECT key FROM state WHERE part = ? AND instr(key, ?) > 0 LIMIT ?"
        return [key for (key,) in self._rows(query, (part, containing, most))]

    def state_stamps(self, part: str) -> list[StateStamp]:
        """What tells whether a part has remembered anything else since, without reading all of it."""
        query = "SELECT key, length(value), substr(value, 1, ?) FROM state WHERE part = ? ORDER BY key"
        return [StateStamp(*row) for row in self._rows(query, (STAMP_BYTES, part))]

    def events(self, since: datetime | None = None, after: int = 0) -> Iterator[StoredEvent]:
        """The events from a time on, or with numbers above `after`, first to last."""
        query = "SELECT id, at_us, kind, url, data FROM event WHERE id > ? AND at_us >= ?"
        for row in self._steps(query, (microseconds(since) if since else 0,), after=after):
            yield StoredEvent(id=row[0], at=moment(row[1]), kind=row[2], url=row[3], data=row[4])

    def rows(self, rule: str) -> list[StoredRow]:
        """The records that a rule has taken, in the order they were first seen."""
        found = self._rows(
            "SELECT key, page, first_us, last_us, changed_us, fields FROM record WHERE rule = ? ORDER BY id", (rule,)
        )
        return [
            StoredRow(
                rule=rule,
                key=key,
                page=Url(page),
                first_at=moment(first),
                last_at=moment(last),
                changed_at=moment(changed),
                fields=msgspec.json.decode(fields, type=dict[str, str]),
            )
            for key, page, first, last, changed, fields in found
        ]

    def row_counts(self) -> dict[str, int]:
        """How many records each rule has taken."""
        return dict(self._rows("SELECT rule, count(*) FROM record GROUP BY rule"))
