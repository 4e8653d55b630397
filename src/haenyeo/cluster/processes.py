"""Shards as plain processes of this machine, all forked from one: see `nursery`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from haenyeo.store.lock import writer_of
from haenyeo.store.shards.catalogue import shard_folder

LOG = "shard.log"
END = "end"
"""In place of a shard's number: end all processes that are left."""
LAST_WORDS = 300  # characters of the log that are shown


class ProcessCrew:
    """Runs every shard in a process with a session of its own: it outlives the coordinator, and hears no Ctrl-C."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._nursery: subprocess.Popen[bytes] | None = None
        self._running: set[int] = set()
        self._unread = b""

    def start(self, shard: int) -> None:
        """Start the process of a shard."""
        self._hear()
        self._nursery = self._nursery or self._made()
        self._running.add(shard)
        assert self._nursery.stdin is not None
        try:
            self._nursery.stdin.write(b"%d\n" % shard)
        except BrokenPipeError:  # it has just died; the shard is found dead with it, and started by the next
            return

    def is_alive(self, shard: int) -> bool:
        """Whether our own process runs, or one of an earlier coordinator writes in the shard's folder."""
        self._hear()
        return shard in self._running or writer_of(shard_folder(self._folder, shard)) is not None

    def trouble(self, shard: int) -> str:
        """The end of the shard's log."""
        try:
            log = shard_folder(self._folder, shard) / LOG
            return log.read_text(encoding="utf-8", errors="replace")[-LAST_WORDS:].strip() or "it left no word"
        except OSError:
            return "it left no word"

    async def close(self) -> None:
        """End those that did not end when they were told to."""
        if self._nursery is not None:
            self._nursery.communicate(f"{END}\n".encode())
            self._forget()

    def _made(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "haenyeo.cluster.nursery", str(self._folder)]
        made = subprocess.Popen(  # noqa: S603 - our own module
            command, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
        )
        assert made.stdout is not None
        os.set_blocking(made.stdout.fileno(), False)
        return made

    def _hear(self) -> None:
        """Learn whose processes have ended, or that nothing is known of them any more."""
        if self._nursery is None:
            return
        assert self._nursery.stdout is not None
        told = self._nursery.stdout.read(4096)
        if told:
            *lines, self._unread = (self._unread + told).split(b"\n")
            self._running.difference_update(map(int, lines))
        elif told is not None:  # the end of all it says: it has died
            self._nursery.kill()
            self._nursery.communicate()
            self._forget()

    def _forget(self) -> None:
        self._nursery, self._unread = None, b""
        self._running.clear()
