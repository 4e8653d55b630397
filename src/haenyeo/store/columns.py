"""Pages and visits as columns in memory, so that counts over hundreds of thousands of them take milliseconds.

Whoever watches a collection keeps one of these and calls `update` now and then: only what was visited since is read.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from haenyeo.model.pages import KINDS
from haenyeo.model.visits import Outcome
from haenyeo.store.reading import CollectionReading
from haenyeo.store.records import LinkBatch

OUTCOMES = tuple(outcome.value for outcome in Outcome)
ROWS_IN_STEP = 4096
ROOM = 1024  # rows that fit into a new table
UNKNOWN = -1
KEY_MASK = np.uint64((1 << 63) - 1)

PAGE = np.dtype(
    [
        *(
            ("id", "i8"),
            ("site", "i4"),
            ("asked", "?"),
            ("kept", "?"),
            ("fetched", "?"),
            ("outcome", "i1"),
            ("language", "i2"),
            ("kind", "i1"),
        ),
        *(("depth", "i4"), ("first_us", "i8"), ("last_us", "i8"), ("changed_us", "i8"), ("relevance", "f4")),
    ]
)
VISIT = np.dtype(
    [
        *(("id", "i8"), ("page", "i8"), ("at_us", "i8"), ("outcome", "i1"), ("changed", "i1")),
        *(("ref", "i8"), ("seconds", "f4"), ("size", "i4")),
    ]
)

_relevance = msgspec.msgpack.Decoder(dict[str, float])
Rows = npt.NDArray[np.void]


class GrowingTable:
    """Rows of one kind, sorted by `id`; room for more is made as it is needed."""

    def __init__(self, kind: np.dtype[np.void]) -> None:
        self._room: Rows = np.zeros(ROOM, kind)
        self._count = 0

    @property
    def rows(self) -> Rows:
        """All rows there are."""
        return self._room[: self._count]

    def put(self, rows: Sequence[tuple[Any, ...]]) -> None:
        """Replace rows of known ids, add the others; the new ones must come in the order of their ids."""
        if not rows:
            return
        given = np.array(rows, self._room.dtype)
        places = np.searchsorted(self.rows["id"], given["id"])
        known = places < self._count
        known[known] = self.rows["id"][places[known]] == given["id"][known]
        self.rows[places[known]] = given[known]
        self._append(given[~known])

    def _append(self, rows: Rows) -> None:
        needed = self._count + len(rows)
        if needed > len(self._room):
            room = np.zeros(max(needed, 2 * len(self._room)), self._room.dtype)
            room[: self._count] = self.rows
            self._room = room
        self._room[self._count : needed] = rows
        self._count = needed


class CollectionColumns:
    """The columns of one collection; `relevance` is that of the best topic, -1 when nobody judged the page."""

    def __init__(self, store: CollectionReading) -> None:
        self._store = store
        self._pages, self._visits = GrowingTable(PAGE), GrowingTable(VISIT)
        self.languages: list[str] = []
        self._language_numbers: dict[str, int] = {}

    @property
    def pages(self) -> Rows:
        """Every address that was visited, those that only redirect left out; `asked` as in `Counts`."""
        return self._pages.rows

    @property
    def visits(self) -> Rows:
        """Every visit; `changed` and `ref` are -1 where nothing is known."""
        return self._visits.rows

    def update(self) -> int:
        """Read what was visited since the last time; returns how many visits that were."""
        before = len(self.visits)
        first_time = before == 0
        if first_time:
            self._load_pages()
        while rows := self._store.visit_columns(self._last_visit(), ROWS_IN_STEP):
            self._visits.put([_visit(row) for row in rows])
            if not first_time:
                self.reload({row[1] for row in rows})
        return len(self.visits) - before

    def reload(self, pages: Iterable[int]) -> None:
        """Read these pages again, as after a change of judgement."""
        self._pages.put([self._page(row) for row in self._store.page_columns_of(pages)])

    def _load_pages(self) -> None:
        after = 0
        while rows := self._store.page_columns(after, ROWS_IN_STEP):
            self._pages.put([self._page(row) for row in rows])
            after = rows[-1][0]

    def _last_visit(self) -> int:
        return int(self.visits["id"][-1]) if len(self.visits) else 0

    def _page(self, row: tuple[Any, ...]) -> tuple[Any, ...]:
        number, site, asked, kept, fetched, outcome, language, kind, *rest, relevance = row
        judged = _relevance.decode(relevance) if relevance else {}
        best = max(judged.values(), default=UNKNOWN)
        told = (OUTCOMES.index(outcome), self._language(language), KINDS.index(kind) if kind in KINDS else UNKNOWN)
        return (number, site, asked, kept, fetched, *told, *rest, best)

    def _language(self, language: str) -> int:
        """The number of a language without its region."""
        name = language.lower().replace("_", "-").partition("-")[0][:8]
        if name not in self._language_numbers:
            self._language_numbers[name] = len(self.languages)
            self.languages.append(name)
        return self._language_numbers[name]


def _visit(row: tuple[Any, ...]) -> tuple[Any, ...]:
    number, page, at_us, outcome, changed, ref, seconds, size = row
    return (
        number,
        page,
        at_us,
        OUTCOMES.index(outcome),
        UNKNOWN if changed is None else changed,
        UNKNOWN if ref is None else ref,
        seconds,
        min(size, 2**31 - 1),
    )


class WaitingLinks:
    """The links that wait, as columns, kept up to date the same way; `scores` are those they were found with."""

    def __init__(self, store: CollectionReading) -> None:
        self._store = store
        self._after = UNKNOWN
        self._found = _no_links()
        self._now = self._found.scores

    def __len__(self) -> int:
        return len(self._found)

    @property
    def sites(self) -> npt.NDArray[np.uint32]:
        """The numbers of the sites they lead to."""
        return self._found.sites

    @property
    def depths(self) -> npt.NDArray[np.int32]:
        """How far from the seeds they lead."""
        return self._found.depths

    @property
    def scores(self) -> npt.NDArray[np.float32]:
        """What they are worth now."""
        return self._now

    def update(self) -> None:
        """Take in the links found since, and leave out those that were followed."""
        known = msgspec.structs.replace(self._found, finished=self._are_finished(self._found.hashes))
        parts = [known.waiting()]
        for batch in self._store.link_batches(after=self._after):
            self._after = int(batch.refs[-1])
            parts.append(batch.waiting())
        self._found = LinkBatch.joined(parts)
        self._now = self._found.scores

    def _are_finished(self, hashes: npt.NDArray[np.uint64]) -> npt.NDArray[np.bool_]:
        finished = self._store.finished().view(np.int64)
        if not len(finished):
            return np.zeros(len(hashes), np.bool_)
        own = hashes.view(np.int64)
        known: npt.NDArray[np.bool_] = finished[np.searchsorted(finished, own).clip(max=len(finished) - 1)] == own
        return known

    def rescore(self, keys: npt.NDArray[np.uint64], worth: npt.NDArray[np.float32]) -> None:
        """Let the links of these keys (hashes without their first bit, sorted) be worth this much now."""
        if not len(keys) or not len(self):
            return
        own = self._found.hashes & KEY_MASK
        at = np.searchsorted(keys, own).clip(max=len(keys) - 1)
        self._now = np.where(keys[at] == own, worth[at], self._found.scores)

    def best(self, count: int) -> list[tuple[int, float]]:
        """The refs and scores of the links with the highest scores, the best first, of equals the one found first."""
        refs, scores = self._found.refs, self._now
        if count >= len(refs):
            good = np.arange(len(refs))
        else:
            least = np.partition(scores, len(refs) - count)[len(refs) - count]
            good = np.flatnonzero(scores >= least)
        chosen = good[np.lexsort((refs[good], -scores[good]))[:count]]
        return list(zip(refs[chosen].tolist(), scores[chosen].tolist(), strict=True))


def _no_links() -> LinkBatch:
    return LinkBatch(
        refs=np.empty(0, np.int64),
        hashes=np.empty(0, np.uint64),
        sites=np.empty(0, np.uint32),
        scores=np.empty(0, np.float32),
        depths=np.empty(0, np.int32),
        finished=np.empty(0, np.bool_),
    )
