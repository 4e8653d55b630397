"""Which number has this address, and which address this number? At 15 bytes a page beside its path.

An address is kept as the number of its head (scheme and host) and the text of its tail (path and query). Tails stand
one behind the other in chunks of 65,536 pages; within a chunk heads have numbers of their own, which are short. To find
an address, its 32-bit hash leads to a slot of an open table (linear probing, Knuth 1973, volume 3, section 6.4); what
is found is compared as text, so that no two addresses are ever taken for one.
"""

from __future__ import annotations

import mmap
from array import array
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt
import xxhash

from haenyeo.refresh.columns import Array, GrowingColumns, zeros

Numbers = npt.NDArray[np.int64]

NOBODY = -1
_CHUNK_BITS = 16
_CHUNK = 1 << _CHUNK_BITS
_CHUNK_END = np.iinfo(np.int64).max
_FIRST_SLOTS = 256
_FULL = 0.85  # of all slots; above it probing takes noticeably longer
_GROWTH = 1.15
_EMPTY = 0


class AddressBook:
    """Addresses numbered in the order in which they came."""

    def __init__(self) -> None:
        self._columns = GrowingColumns({"hash": np.uint32, "head": np.uint16, "start": np.uint32})
        self._heads: dict[str, int] = {}
        self._head_names: list[str] = []
        self._chunks: list[_Chunk] = []
        self._slots: npt.NDArray[np.uint32] = np.zeros(_FIRST_SLOTS, np.uint32)

    def __len__(self) -> int:
        return len(self._columns)

    def numbers(self, urls: Sequence[str]) -> Numbers:
        """The number of each address, `NOBODY` for those never added."""
        return self._find(urls, _hashes(urls))

    def add(self, urls: Sequence[str]) -> Numbers:
        """Number the addresses that are new; returns where in `urls` each of them stood first, in order."""
        hashes = _hashes(urls)
        unknown = np.flatnonzero(self._find(urls, hashes) == NOBODY)
        first = {urls[place]: place for place in reversed(unknown.tolist())}
        places = np.array(sorted(first.values()), np.int64)
        self._reserve(len(places))
        start = len(self)
        self._append([urls[place] for place in places.tolist()], hashes[places])
        self._insert(np.arange(start, len(self)))
        return places

    def urls(self, numbers: Numbers) -> list[str]:
        """The addresses with these numbers."""
        starts, heads = self._columns["start"], self._columns["head"]
        following = np.minimum(numbers + 1, len(self) - 1)
        within = (following > numbers) & (following & (_CHUNK - 1) != 0)
        ends = np.where(within, starts[following].astype(np.int64), _CHUNK_END)
        chunks, names = self._chunks, self._head_names
        return [
            names[chunks[chunk].heads[head]] + chunks[chunk].tails[start:end].decode("utf-8", "surrogatepass")
            for head, chunk, start, end in zip(
                heads[numbers].tolist(),
                (numbers >> _CHUNK_BITS).tolist(),
                starts[numbers].tolist(),
                ends.tolist(),
                strict=True,
            )
        ]

    def state(self) -> tuple[dict[str, Array], list[str]]:
        """All that is kept, as arrays and texts."""
        tails, heads = [chunk.tails for chunk in self._chunks], [chunk.heads for chunk in self._chunks]
        return {
            **self._columns.state(),
            "tails": np.frombuffer(b"".join(tails), np.uint8),
            "sizes": np.array(list(map(len, tails)), np.int64),
            "chunk_heads": np.array([head for each in heads for head in each], np.uint32),
            "chunk_head_counts": np.array(list(map(len, heads)), np.int64),
        }, self._head_names

    def restore(self, arrays: dict[str, Array], heads: list[str]) -> None:
        """Take over what `state` gave."""
        self._columns.restore(arrays)
        self._head_names, self._heads = list(heads), {head: number for number, head in enumerate(heads)}
        tails, chunk_heads = arrays["tails"].tobytes(), arrays["chunk_heads"].tolist()
        tail = head = 0
        self._chunks = []
        for size, count in zip(arrays["sizes"].tolist(), arrays["chunk_head_counts"].tolist(), strict=True):
            self._begin_chunk(tails[tail : tail + size], chunk_heads[head : head + count])
            tail, head = tail + size, head + count
        self._index(max(_FIRST_SLOTS, int(len(self) / _FULL * _GROWTH)))

    def _find(self, urls: Sequence[str], hashes: npt.NDArray[np.uint32]) -> Numbers:
        found = np.full(len(urls), NOBODY, np.int64)
        known, size = self._columns["hash"], len(self._slots)
        open_, slots = np.arange(len(urls)), _first_slots(hashes, size)
        while len(open_):
            candidates = self._slots[slots].astype(np.int64) - 1
            used = candidates >= 0
            open_, slots, candidates = open_[used], slots[used], candidates[used]
            alike = np.flatnonzero(known[candidates] == hashes[open_])
            if len(alike):
                for place, number, url in zip(
                    open_[alike].tolist(), candidates[alike].tolist(), self.urls(candidates[alike]), strict=True
                ):
                    if url == urls[place]:
                        found[place] = number
            missing = found[open_] == NOBODY
            open_, slots = open_[missing], (slots[missing] + 1) % size
        return found

    def _insert(self, numbers: Numbers) -> None:
        """Give slots to pages that have none; of several that want the same slot, the last one written keeps it."""
        slots = _first_slots(self._columns["hash"][numbers], len(self._slots))
        while len(numbers):
            empty = self._slots[slots] == _EMPTY
            self._slots[slots[empty]] = numbers[empty] + 1
            placed = self._slots[slots] == numbers + 1
            numbers, slots = numbers[~placed], (slots[~placed] + 1) % len(self._slots)

    def _reserve(self, more: int) -> None:
        size = len(self._slots)
        while len(self) + more > _FULL * size:
            size = int(size * _GROWTH)
        if size > len(self._slots):
            self._index(size)

    def _index(self, size: int) -> None:
        """Give all pages slots in a table of this size, in pieces, which keeps the memory in between small."""
        self._slots = zeros((size,), np.uint32)
        for start in range(0, len(self), _CHUNK):
            self._insert(np.arange(start, min(start + _CHUNK, len(self))))

    def _append(self, urls: list[str], hashes: npt.NDArray[np.uint32]) -> None:
        heads, starts = [], []
        for number, url in enumerate(urls, len(self)):
            if number & (_CHUNK - 1) == 0:
                self._begin_chunk()
            chunk = self._chunks[-1]
            head, tail = _split(url)
            heads.append(chunk.head(self._head(head)))
            starts.append(len(chunk.tails))
            chunk.grow(tail.encode("utf-8", "surrogatepass"))
        self._columns.extend(len(urls), hash=hashes, head=heads, start=starts)

    def _begin_chunk(self, tails: bytes = b"", heads: Iterable[int] = ()) -> None:
        """Begin a new chunk; the last one will not grow any more."""
        if self._chunks:
            self._chunks[-1].settle()
        self._chunks.append(_Chunk(tails, heads))

    def _head(self, head: str) -> int:
        number = self._heads.setdefault(head, len(self._head_names))
        if number == len(self._head_names):
            self._head_names.append(head)
        return number


class _Chunk:
    """The tails of some pages, and the numbers of the heads that occur among them."""

    def __init__(self, tails: bytes, heads: Iterable[int]) -> None:
        self._growing = bytearray(tails)
        self.tails: bytearray | mmap.mmap = self._growing
        self.heads = array("I", heads)
        self._places = {head: place for place, head in enumerate(self.heads)}

    def head(self, number: int) -> int:
        """The short number of a head in this chunk."""
        place = self._places.setdefault(number, len(self.heads))
        if place == len(self.heads):
            self.heads.append(number)
        return place

    def grow(self, tail: bytes) -> None:
        """Put one more tail behind the others."""
        self._growing += tail

    def settle(self) -> None:
        """Move the tails out of the heap, so that they do not fragment it."""
        self._places = {}
        if self._growing:
            settled = mmap.mmap(-1, len(self._growing))
            settled.write(self._growing)
            self.tails = settled
            self._growing = bytearray()


def _split(url: str) -> tuple[str, str]:
    """Scheme and host, and the rest."""
    host = url.find("://") + 3 if "://" in url else 0
    path = url.find("/", host)
    return (url, "") if path < 0 else (url[:path], url[path:])


def _hashes(urls: Iterable[str]) -> npt.NDArray[np.uint32]:
    digest = xxhash.xxh3_64_intdigest
    return np.fromiter((digest(url.encode("utf-8", "surrogatepass")) & 0xFFFFFFFF for url in urls), np.uint32)


def _first_slots(hashes: npt.NDArray[np.uint32], size: int) -> Numbers:
    """Where probing begins: the hash scaled to the size of the table."""
    return ((hashes.astype(np.uint64) * np.uint64(size)) >> np.uint64(32)).astype(np.int64)
