"""Which link led to an address? Asked for every visit that is taken in anew."""

from __future__ import annotations

import sqlite3

from haenyeo.html.urls import url_hash
from haenyeo.model.pages import Url
from haenyeo.store.encoding import signed
from haenyeo.store.reading import CollectionReading


class LinkNumbers:
    """Under which numbers links were found, by address: in a temporary database, since there may be very many."""

    def __init__(self, store: CollectionReading) -> None:
        self._store, self._last = store, -1
        self._connection = sqlite3.connect("", isolation_level=None)
        self._connection.execute("CREATE TABLE link (hash INTEGER PRIMARY KEY, ref INTEGER NOT NULL)")

    def number_of(self, url: Url) -> int | None:
        """The number of the link to an address, None if none was found."""
        for first, hashes in self._store.link_hashes(self._last):
            self._last = first
            rows = [(number, ref) for ref, number in enumerate(hashes.tolist(), first)]
            self._connection.executemany("INSERT OR IGNORE INTO link VALUES (?, ?)", rows)
        found = self._connection.execute("SELECT ref FROM link WHERE hash = ?", (signed(url_hash(url)),)).fetchone()
        return found[0] if found else None
