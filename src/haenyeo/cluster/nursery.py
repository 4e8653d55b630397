"""The process that those of all shards are forked from: `python -m haenyeo.cluster.nursery FOLDER`.

What every shard needs is imported and loaded here once; forked processes share its memory, and begin at once. For each
line with a shard's number one is forked, in a session of its own: it hears no Ctrl-C, and outlives coordinator and
nursery. When it has ended its number is written. The line `END` ends those that are left. This process has one thread
and opens nothing of the collection, so that nothing is shared that must not be.
"""

from __future__ import annotations

import gc
import os
import select
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

from haenyeo.cluster import shard_process
from haenyeo.cluster.processes import END, LOG
from haenyeo.collect.settings_file import read_settings
from haenyeo.html.urls import site_of
from haenyeo.model.pages import Url
from haenyeo.model.registry import find_part
from haenyeo.read.language import language_of
from haenyeo.store.shards.catalogue import shard_folder

GRACE = 5.0  # seconds between asking a process to end and making it
UNKNOWN_WORDS = "lorem ipsum dolor sit amet consectetur"


class Nursery:
    """Forks the processes of the shards of a collection, as its input says."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._shards: dict[int, int] = {}
        self._unread = b""
        self._ended, self._noted = os.pipe()
        for end in (self._ended, self._noted):
            os.set_blocking(end, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self._noted, warn_on_full_buffer=False)

    def born(self) -> int | None:
        """Fork until the input ends; returns the number of its shard in each forked process, and None in this one."""
        while True:
            ready, _, _ = select.select([0, self._ended], [], [])
            if self._ended in ready:
                os.read(self._ended, 4096)
                self._tell_ended()
            if 0 not in ready:
                continue
            data = os.read(0, 4096)
            if not data:
                return None
            *lines, self._unread = (self._unread + data).split(b"\n")
            for line in lines:
                if line.decode() == END:
                    self._end_all()
                elif self._is_fork(int(line)):
                    return int(line)

    def _is_fork(self, shard: int) -> bool:
        """Fork a process for a shard; True in that process."""
        process = os.fork()
        if process:
            self._shards[process] = shard
            return False
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.setsid()
        for end in (self._ended, self._noted):
            os.close(end)
        nothing = os.open(os.devnull, os.O_RDONLY)
        place = shard_folder(self._folder, shard)
        place.mkdir(parents=True, exist_ok=True)  # it may be lost, to be made anew from a snapshot
        log = os.open(place / LOG, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        for given, wanted in ((nothing, 0), (log, 1), (log, 2)):
            os.dup2(given, wanted)
        return True

    def _tell_ended(self) -> None:
        """Say which shards' processes have ended since the last time."""
        with suppress(ChildProcessError):
            while process := os.waitpid(-1, os.WNOHANG)[0]:
                os.write(1, b"%d\n" % self._shards.pop(process))

    def _end_all(self) -> None:
        until, wanted = time.monotonic() + GRACE, signal.SIGTERM
        while self._shards:
            for process in self._shards:
                os.kill(process, wanted)
            select.select([self._ended], [], [], max(0.0, until - time.monotonic()))
            self._tell_ended()
            wanted = signal.SIGTERM if time.monotonic() < until else signal.SIGKILL


def load(folder: Path) -> None:
    """Load what a shard loads when it needs it for the first time."""
    strategy = read_settings(folder).strategy
    find_part("scorers", strategy.scorer)
    find_part("extractors", strategy.extractor)
    find_part("watchers", strategy.watcher)
    find_part("planners", strategy.planner)
    site_of(Url("http://example.org/"))
    language_of("", UNKNOWN_WORDS)
    with suppress(ImportError):
        import uvloop  # noqa: F401 - what counts is that it is loaded


def main(folder: Path) -> None:
    """Fork the processes of a collection's shards, or work on one in a forked process."""
    load(folder)
    gc.collect()
    gc.freeze()
    shard = Nursery(folder).born()
    if shard is not None:
        shard_process.main(folder, shard)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
