"""What shards have learnt of a topic, shared among them: so one that has read little judges as well as the others.

From the first pages of a collection all shards learn (see `pages`). After these, a shard leaves all it has learnt
itself in its folder every few pages, as a file. The coordinator joins these into one file in the collection's folder,
and every shard takes that up when it has changed. All files hold whole states, so that one which is lost, late or taken
up twice does no harm. A shard leaves the next one only after it has seen its last one taken up: then it knows what is
its own in what all have learnt.
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from haenyeo.cluster.layout import put_file
from haenyeo.collect.adapters.finding.finder import Finder
from haenyeo.collect.adapters.finding.topics import TopicAtWork
from haenyeo.model.compression import zstd
from haenyeo.store.encoding import pack, unpack
from haenyeo.store.shards.catalogue import shard_folder

TOLD, ALL = "learnt", "learnt.all"
_SOON, _GROWTH, _MOST = 4, 1.25, 300  # pages until a shard tells again: at first few, then a share of all so far
_PATIENCE = 30.0  # seconds after which it tells again though nobody has joined the last
_PAUSE, _PAUSE_PER_SHARD = 0.2, 0.02  # seconds between two looks of the coordinator


class ToldByShard(msgspec.Struct, frozen=True, array_like=True):
    """What a shard has learnt by itself, by topic; versions count up."""

    version: int
    topics: dict[str, bytes]


class ToldByAll(msgspec.Struct, frozen=True, array_like=True):
    """What all have learnt together, by topic, and the versions of the shards that are in it."""

    versions: dict[int, int]
    topics: dict[str, bytes]


_one = msgspec.msgpack.Decoder(ToldByShard)
_all = msgspec.msgpack.Decoder(ToldByAll)


class ShardLearning:
    """Shares what one shard's topics learn; topics whose scorers cannot share are left alone."""

    def __init__(self, folder: Path, number: int, finder: Finder) -> None:
        self._topics: Mapping[str, TopicAtWork] = getattr(finder, "topics", {})
        self._finder, self._number = finder, number
        self._path, self._all = shard_folder(folder, number) / TOLD, folder / ALL
        self._scorers: dict[str, Any] = {
            name: topic.scorer for name, topic in self._topics.items() if hasattr(topic.scorer, "told")
        }
        self._told = _read(self._path, _one) or ToldByShard(0, {})
        self._told_at, self._next, self._heard, self._stamp = 0.0, _SOON, 0, 0

    @property
    def trust(self) -> float:
        """How far to trust what links that wait are said to be worth: not at all while nothing weighs them here.

        Until then they come after those of shards that know more, and what they are worth is soon known.
        """
        weighed = (scorer.visits or scorer.is_informed for scorer in self._scorers.values())
        return 1.0 if all(weighed) else 0.0

    @property
    def learns_from_pages(self) -> bool:
        """Whether there is something to learn from the pages of others: several topics share no pages."""
        return len(self._scorers) == len(self._topics) == 1

    def step(self) -> None:
        """Take up what all have learnt if it is new, and tell what was learnt here if that is enough."""
        if self._scorers:
            self._hear()
            self._tell()
            self._finder.revise()

    def _hear(self) -> None:
        stamp = _stamp(self._all)
        if stamp == self._stamp:
            return
        self._stamp = stamp
        everything = _read(self._all, _all)
        if everything is None:
            return
        version = everything.versions.get(self._number, 0)
        if version and version != self._told.version:
            return  # of what was told in between nothing can be taken out again
        self._heard = version
        for name in self._scorers.keys() & everything.topics.keys():
            own = self._told.topics.get(name, b"") if version else b""
            self._scorers[name].hear(everything.topics[name], own, self._number)

    def _tell(self) -> None:
        visits = max(scorer.visits for scorer in self._scorers.values())
        waits = self._told_at and self._heard != self._told.version and time.monotonic() < self._told_at + _PATIENCE
        if visits < self._next or waits:
            return
        self._next = visits + min(_MOST, max(_SOON, int(visits * (_GROWTH - 1))))
        topics = {name: scorer.told() for name, scorer in self._scorers.items()}
        self._told, self._told_at = ToldByShard(self._told.version + 1, topics), time.monotonic()
        put_file(self._path, pack(msgspec.msgpack.encode(self._told)))


class JoinedLearning:
    """Joins what so many shards tell; `scorer` is the kind of scorer of their topics."""

    def __init__(self, folder: Path, shards: int, scorer: Any) -> None:
        self._join = getattr(scorer, "joined", None)
        self._path, self._shards = folder / ALL, [shard_folder(folder, number) / TOLD for number in range(shards)]
        self._pause = _PAUSE + _PAUSE_PER_SHARD * shards
        self._stamps: list[int] = []
        self._looked_at = 0.0

    def step(self) -> None:
        """Join what was told if anything is new."""
        if self._join is None or time.monotonic() < self._looked_at + self._pause:
            return
        self._looked_at = time.monotonic()
        stamps = [_stamp(path) for path in self._shards]
        if stamps != self._stamps:
            self._stamps = stamps
            self._put_together()

    def _put_together(self) -> None:
        assert self._join is not None
        told = {number: found for number, path in enumerate(self._shards) if (found := _read(path, _one))}
        names = {name for each in told.values() for name in each.topics}
        topics = {
            name: self._join({number: each.topics[name] for number, each in told.items() if name in each.topics})
            for name in names
        }
        versions = {number: each.version for number, each in told.items()}
        put_file(self._path, pack(msgspec.msgpack.encode(ToldByAll(versions, topics))))


def _stamp(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def _read(path: Path, decoder: Any) -> Any:
    """What a file holds, None if there is none or it is damaged."""
    try:
        return decoder.decode(unpack(path.read_bytes()))
    except (OSError, ValueError, EOFError, zlib.error, zstd.ZstdError, msgspec.MsgspecError):
        return None
