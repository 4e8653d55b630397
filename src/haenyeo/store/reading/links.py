"""Links: those found, those that wait, and who links where."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from haenyeo.model.errors import StoreError
from haenyeo.store.database import explained, explaining
from haenyeo.store.links import finished_hashes
from haenyeo.store.reading.connected import Connected
from haenyeo.store.records import Inlink, LinkBatch, StoredLink


class LinkReading(Connected):
    """The questions about links and the sites they lead to."""

    def links(self, refs: Sequence[int]) -> list[StoredLink]:
        """The links of these numbers, in this order; raises `StoreError` for a number that was never given."""
        try:  # a context would cost as much as a link does
            links = [self._links.get(ref) for ref in refs]
        except sqlite3.Error as error:
            raise explained(error, self._path) from error
        found = [link for link in links if link]
        if len(found) < len(links):
            raise StoreError(f"{self._path} has no link number {refs[links.index(None)]}")
        return found

    def link_batches(self, after: int = -1) -> Iterator[LinkBatch]:
        """All links found, in order, as columns; from these a crawl rebuilds its frontier and what it has seen.

        With `after` only those of pages whose first link has a higher number.
        """
        with explaining(self._path):
            yield from self._links.batches(finished_hashes(self._connection), after)

    def link_hashes(self, after: int = -1) -> Iterator[tuple[int, npt.NDArray[np.int64]]]:
        """The number of the first new link of each page, if above `after`, and the signed hashes of its new links."""
        query = "SELECT first_ref, substr(targets, 1, 8 * count) FROM link WHERE first_ref > ? AND count > 0"
        for first, hashes in self._steps(query, after=after, order="first_ref"):
            yield first, np.frombuffer(hashes, np.int64)

    def waiting(self) -> Iterator[LinkBatch]:
        """The links found whose addresses have not been dealt with, in order, as columns."""
        for batch in self.link_batches():
            yield batch.waiting()

    def found_count(self) -> int:
        """How many links were ever found."""
        with explaining(self._path):
            return self._links.found()

    def waiting_count(self) -> int:
        """How many links wait; reads through all of them."""
        return sum(len(batch) for batch in self.waiting())

    def finished(self) -> npt.NDArray[np.uint64]:
        """The hashes of all addresses that were dealt with, those that only redirect included."""
        with explaining(self._path):
            return finished_hashes(self._connection).view(np.uint64)

    def sites(self) -> dict[int, str]:
        """The names of all sites by number."""
        return dict(self._rows("SELECT id, name FROM site"))

    def inlinks(self, url: str) -> list[Inlink]:
        """The pages that link to an address, in the order they were read."""
        with explaining(self._path):
            return each_once(self._links.inlinks(url))


def each_once(inlinks: Iterable[Inlink]) -> list[Inlink]:
    """The same without doubles: another shard's page is met among its own links, and where its link waits."""
    found: dict[str | None, Inlink] = {}
    for inlink in inlinks:
        if inlink.source not in found or found[inlink.source].link is None:
            found[inlink.source] = inlink
    return list(found.values())
