"""Shards as plain processes of this machine."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from haenyeo.store.lock import writer_of
from haenyeo.store.shards.catalogue import shard_folder

LOG = "shard.log"
LAST_WORDS = 300  # characters of the log that are shown
GRACE = 5.0  # seconds between asking a process to end and making it


class ProcessCrew:
    """Runs every shard in a process with a session of its own: it outlives the coordinator, and hears no Ctrl-C."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._processes: dict[int, subprocess.Popen[bytes]] = {}

    def start(self, shard: int) -> None:
        """Start the process of a shard."""
        command = [sys.executable, "-m", "haenyeo.cluster.shard_process", str(self._folder), str(shard)]
        with self._log(shard).open("ab") as log:
            self._processes[shard] = subprocess.Popen(  # noqa: S603 - our own module
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )

    def is_alive(self, shard: int) -> bool:
        """Whether our own process runs, or one of an earlier coordinator writes in the shard's folder."""
        process = self._processes.get(shard)
        if process is not None and process.poll() is None:
            return True
        return writer_of(shard_folder(self._folder, shard)) is not None

    def trouble(self, shard: int) -> str:
        """The end of the shard's log."""
        try:
            return self._log(shard).read_text(encoding="utf-8", errors="replace")[-LAST_WORDS:].strip()
        except OSError:
            return "it left no word"

    async def close(self) -> None:
        """End those that did not end when they were told to."""
        for process in self._processes.values():
            if process.poll() is None:
                process.terminate()
            try:
                process.wait(GRACE)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def _log(self, shard: int) -> Path:
        return shard_folder(self._folder, shard) / LOG
