"""The links that pages brought: one row a page (more if it has very many), each new link known by a number.

A row for every link would cost more than all else a page causes, so a page's new links share one. The columns that a
restart needs (hashes, sites, scores) can be read without unpacking the words.
"""

from __future__ import annotations

import sqlite3
from array import array
from bisect import bisect_left, bisect_right, insort
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence

import msgspec
import numpy as np
import numpy.typing as npt

from haenyeo.html.urls import url_hash
from haenyeo.model.pages import Url
from haenyeo.store.encoding import blob, pack, unpack
from haenyeo.store.records import Inlink, LinkBatch, NewLink, StoredLink

LINKS_IN_ROW = 200  # a sitemap brings thousands; taking one of them must not unpack all
LINKS_IN_MEMORY = 16_384  # about a kilobyte each; a crawl asks for links one by one, many rows after they were found
ROWS_IN_BATCH = 1024
HASH_BYTES = 8

_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(list[NewLink])
_NO_LINKS = pack(_encoder.encode([]))


class LinkRow(msgspec.Struct, frozen=True, gc=False):
    """The new links of one page; `source` is None for seeds."""

    first_ref: int
    depth: int
    source: Url | None
    links: Sequence[NewLink]

    def stored(self, index: int) -> StoredLink:
        """One of the links, with all that is known about it."""
        link = self.links[index]
        return StoredLink(
            ref=self.first_ref + index,
            url=link.url,
            site=link.site,
            score=link.score,
            depth=self.depth,
            source=Url(link.source) if link.source else self.source,
            anchor=link.anchor,
            before=link.before,
            after=link.after,
            path=link.path,
        )


class LinkTable:
    """Writes and reads link rows; remembers the rows used last, unpacked."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._insert_row = connection.cursor().execute
        self._recent: OrderedDict[int, LinkRow] = OrderedDict()
        self._firsts: list[int] = []  # the keys of the rows at hand, sorted
        self._next_ref = self._found = self._held = 0
        self.reload()

    def reload(self) -> None:
        """Forget what was remembered, as after a rollback."""
        self._recent.clear()
        self._firsts.clear()
        self._held = 0
        first_ref, count, before = self._last_row()
        self._next_ref, self._found = first_ref + max(count, 1), before + count

    def found(self) -> int:
        """How many links were ever found."""
        _, count, before = self._last_row()
        return before + count

    def add(
        self,
        new: Sequence[NewLink],
        targets: Iterable[int],
        site_ids: array[int],
        depth: int,
        page: tuple[int, Url] | None,
    ) -> int:
        """Write one page's links and return the ref of the first; `page` is None for seeds."""
        first_ref = self._next_ref
        page_id, source = page or (None, None)
        hashes = [url_hash(link.url) for link in new]
        known = dict.fromkeys(targets)
        for number in hashes:
            known.pop(number, None)
        if len(new) <= LINKS_IN_ROW:
            self._insert(LinkRow(first_ref, depth, source, new), page_id, site_ids, hashes + list(known))
            return first_ref
        for begin in range(0, len(new), LINKS_IN_ROW):
            part = slice(begin, begin + LINKS_IN_ROW)
            row = LinkRow(self._next_ref, depth, source, new[part])
            self._insert(row, page_id, site_ids[part], [*hashes[part], *(known if begin == 0 else ())])
        return first_ref

    def get(self, ref: int) -> StoredLink | None:
        """The link of this number."""
        place = bisect_right(self._firsts, ref) - 1
        row = self._row(self._firsts[place]) if place >= 0 else None
        if row is None or ref - row.first_ref >= len(row.links):
            row = self._sought(ref)
        if row is None or ref - row.first_ref >= len(row.links):
            return None
        return row.stored(ref - row.first_ref)

    def _sought(self, ref: int) -> LinkRow | None:
        found = self._connection.execute(
            "SELECT first_ref FROM link WHERE first_ref <= ? ORDER BY first_ref DESC LIMIT 1", (ref,)
        ).fetchone()
        return self._row(found[0]) if found else None

    def batches(self, finished: npt.NDArray[np.int64], after: int = -1) -> Iterator[LinkBatch]:
        """The links numbered above `after`, as columns; `finished` are the sorted hashes of addresses dealt with."""
        while rows := self._connection.execute(
            "SELECT first_ref, depth, count, sites, scores, substr(targets, 1, 8 * count) FROM link"
            " WHERE first_ref > ? AND count > 0 ORDER BY first_ref LIMIT ?",
            (after, ROWS_IN_BATCH),
        ).fetchall():
            after = rows[-1][0]
            yield _columns(rows, finished)

    def inlinks(self, url: str) -> Iterator[Inlink]:
        """Every page that has this address among its links; reads through the whole table."""
        wanted = url_hash(url).to_bytes(HASH_BYTES, "little")
        after = -1
        while found := self._connection.execute(
            "SELECT first_ref, count, targets, page.url FROM link LEFT JOIN page ON page.id = link.page"
            " WHERE first_ref > ? AND instr(targets, ?) > 0 ORDER BY first_ref LIMIT 1",
            (after, wanted),
        ).fetchone():
            after, count, targets, source = found
            places = range(0, len(targets), HASH_BYTES)
            index = next((place // HASH_BYTES for place in places if targets[place : place + HASH_BYTES] == wanted), -1)
            row = self._row(after) if 0 <= index < count else None
            link = row.stored(index) if row else None
            if index >= 0:
                yield Inlink(source=link.source if link else source, link=link)

    def _insert(self, row: LinkRow, page_id: int | None, site_ids: array[int], hashes: list[int]) -> None:
        count = len(row.links)
        self._insert_row(
            "INSERT INTO link VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                row.first_ref,
                page_id,
                row.depth,
                count,
                self._found,
                blob(site_ids),
                blob(array("f", [link.score for link in row.links])),
                blob(array("Q", hashes)),
                blob(pack(_encoder.encode(row.links)) if count else _NO_LINKS),
            ),
        )
        self._next_ref, self._found = row.first_ref + max(count, 1), self._found + count
        if count:
            self._remember(row)

    def _last_row(self) -> tuple[int, int, int]:
        query = "SELECT first_ref, count, found_before FROM link ORDER BY first_ref DESC LIMIT 1"
        last: tuple[int, int, int] | None = self._connection.execute(query).fetchone()
        return last or (0, 0, 0)

    def _row(self, first_ref: int) -> LinkRow | None:
        if row := self._recent.get(first_ref):
            self._recent.move_to_end(first_ref)
            return row
        found = self._connection.execute(
            "SELECT link.depth, page.url, links FROM link LEFT JOIN page ON page.id = link.page WHERE first_ref = ?",
            (first_ref,),
        ).fetchone()
        if found is None:
            return None
        return self._remember(LinkRow(first_ref, found[0], found[1], _decoder.decode(unpack(found[2]))))

    def _remember(self, row: LinkRow) -> LinkRow:
        if row.first_ref not in self._recent:
            insort(self._firsts, row.first_ref)
            self._held += len(row.links)
        self._recent[row.first_ref] = row
        while self._held > LINKS_IN_MEMORY:
            first_ref, forgotten = self._recent.popitem(last=False)
            self._held -= len(forgotten.links)
            del self._firsts[bisect_left(self._firsts, first_ref)]
        return row


def finished_hashes(connection: sqlite3.Connection) -> npt.NDArray[np.int64]:
    """The hashes of all addresses that were dealt with, signed and sorted."""
    rows = connection.execute("SELECT hash FROM page WHERE finished ORDER BY hash")
    return np.fromiter((row[0] for row in rows), dtype=np.int64)


def _columns(rows: list[tuple[int, int, int, bytes, bytes, bytes]], finished: npt.NDArray[np.int64]) -> LinkBatch:
    firsts, depths, counts, sites, scores, hashes = zip(*rows, strict=True)
    number = np.array(counts, dtype=np.int64)
    before = np.cumsum(number) - number
    signed_hashes = np.frombuffer(b"".join(hashes), dtype=np.int64)
    refs = np.repeat(np.array(firsts, dtype=np.int64) - before, number) + np.arange(number.sum())
    places = np.searchsorted(finished, signed_hashes)
    known = np.zeros(len(signed_hashes), dtype=np.bool_)
    inside = places < len(finished)
    known[inside] = finished[places[inside]] == signed_hashes[inside]
    return LinkBatch(
        refs=refs,
        hashes=signed_hashes.view(np.uint64),
        sites=np.frombuffer(b"".join(sites), dtype=np.uint32),
        scores=np.frombuffer(b"".join(scores), dtype=np.float32),
        depths=np.repeat(np.array(depths, dtype=np.int32), number),
        finished=known,
    )
