"""The files of a collection's folder that a shard needs on a machine which does not reach that folder.

Settings, examples, added seeds, what the user steers by and what all have learnt come from there, and what the shard
itself has learnt goes there: with its reports, whenever one of them has changed.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import msgspec

from haenyeo.cluster.layout import put_file
from haenyeo.cluster.learning.sums import ALL, TOLD
from haenyeo.collect.collection import EXAMPLES
from haenyeo.collect.crawl.seeding.starts import ADDED
from haenyeo.collect.links import steering
from haenyeo.collect.settings_file import FILE_NAME
from haenyeo.html.urls import url_hash
from haenyeo.store.shards.catalogue import shard_folder

_SHARED = (FILE_NAME, ADDED, steering.FILE_NAME, ALL)
Files = dict[str, tuple[int, bytes]]
"""What files hold, by their names in the collection's folder, with their times."""


class NodeNews(msgspec.Struct, frozen=True, array_like=True):
    """What a shard elsewhere has learnt, if that is new, and the times of the files that it has."""

    learnt: bytes | None
    times: dict[str, int]


class Mirror:
    """The folder on this machine's own disk in which a shard finds what it would find in the collection's."""

    def __init__(self, folder: Path, number: int) -> None:
        self.folder = folder
        self._learnt = shard_folder(folder, number) / TOLD
        self._told_at = self._telling = 0
        self._times: dict[str, int] = {}

    def news(self) -> NodeNews:
        """What is to be told now."""
        self._telling = _time_of(self._learnt)
        return NodeNews(self._learnt.read_bytes() if self._telling != self._told_at else None, self._times)

    def take(self, files: Files) -> None:
        """Have these files here, too, which were the answer to the last news."""
        self._told_at = self._telling
        for name, (time, data) in files.items():
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            put_file(self.folder / name, data)
            self._times[name] = time


def changed_files(folder: Path, times: Mapping[str, int]) -> Files:
    """The files of a collection's folder that are not of these times."""
    names = [*_SHARED, *(f"{EXAMPLES}/{path.name}" for path in sorted((folder / EXAMPLES).glob("*")))]
    found = {name: at for name in names if (at := _time_of(folder / name)) and at != times.get(name)}
    return {name: (at, (folder / name).read_bytes()) for name, at in found.items()}


def place_on(disk: str, folder: Path) -> Path:
    """Where this machine's disk has its shards of a collection; the machine's own environment says what `$NAME` is."""
    return Path(os.path.expandvars(disk)).expanduser() / f"{folder.name}-{url_hash(str(folder)):016x}"


def _time_of(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0
