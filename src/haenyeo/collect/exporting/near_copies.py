"""Which pages say nearly the same as another one, wherever that stands? Main texts are compared, not their frames.

Two texts are near copies if most of their pairs of neighbouring words are the same, as far as the smallest hashes of
these pairs tell (Broder 1997, "On the resemblance and containment of documents"); those that share one of the very
smallest are compared. Texts with a few words are copies only if they are equal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec
import numpy as np

from haenyeo.collect.exporting.formats import Row
from haenyeo.find.traps.fingerprint import Hashes, fingerprint
from haenyeo.model.pages import Url

FEW_PAIRS = 20
SKETCH = 64
SMALLEST = 8
ALIKE = 0.7


class _Known(msgspec.Struct, frozen=True):
    url: Url
    sketch: Hashes


class NearCopies:
    """Knows the texts that have passed: half a kilobyte each."""

    def __init__(self) -> None:
        self._by_digest: dict[int, Url] = {}
        self._by_smallest: dict[int, list[_Known]] = {}

    def original(self, url: Url, text: str) -> Url:
        """The first page that said nearly the same, or this one."""
        found = fingerprint(text.encode("utf-8", "replace"))
        if found.digest in self._by_digest:
            return self._by_digest[found.digest]
        original = None
        if found.pairs >= FEW_PAIRS:
            page = _Known(url, np.sort(found.sample)[:SKETCH])
            original = self._near(page)
            if original is None:
                for smallest in page.sketch[:SMALLEST].tolist():
                    self._by_smallest.setdefault(smallest, []).append(page)
        self._by_digest[found.digest] = original or url
        return original or url

    def _near(self, page: _Known) -> Url | None:
        candidates = [known for each in page.sketch[:SMALLEST].tolist() for known in self._by_smallest.get(each, ())]
        return next((known.url for known in candidates if _likeness(known, page) >= ALIKE), None)


def marked(rows: Iterable[Row]) -> Iterator[Row]:
    """The rows, each of a near copy with the address of the page it is one of."""
    copies = NearCopies()
    for page, document in rows:
        original = copies.original(page.url, page.text)
        told = original if original != page.url else None
        yield page, msgspec.structs.replace(document, duplicate_of=told)


def without_copies(rows: Iterable[Row]) -> Iterator[Row]:
    """The rows without those of near copies."""
    return (row for row in marked(rows) if row[1].duplicate_of is None)


def _likeness(one: _Known, other: _Known) -> float:
    """How many of the smallest hashes of both are in either: an estimate of the share of pairs that they have."""
    union = np.union1d(one.sketch, other.sketch)[:SKETCH]
    both = np.intersect1d(one.sketch, other.sketch, assume_unique=True)
    return float(np.isin(union, both).mean()) if len(union) else 1.0
