"""One writer at a time: a lock on a file that the operating system drops when its process dies, however it dies."""

from __future__ import annotations

import contextlib
import fcntl
import os
from pathlib import Path

from haenyeo.model.errors import CollectionBusyError, StoreError

FILE_NAME = "haenyeo.lock"
ELSEWHERE = "elsewhere"


class WriterLock:
    """The right to write in a collection's folder, held until `release`.

    The file stays when the lock is gone: removing it would let two processes lock two files of the same name. It is
    empty then; `cut_off` says that it was not, because the process that had the lock before has died with it.
    """

    def __init__(self, folder: Path) -> None:
        self._file = _lock_file(folder)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            owner = os.pread(self._file, 20, 0).decode("ascii", "replace").strip()
            os.close(self._file)
            raise CollectionBusyError(
                f"{folder} is in use: process {owner or 'of unknown number'} writes in it",
                advice="wait until that process has ended, or stop it; reading (status, export) works meanwhile",
            ) from None
        self.cut_off = os.fstat(self._file).st_size > 0
        # The number only serves the message above, so a full disk must not stand in the way.
        with contextlib.suppress(OSError):
            os.ftruncate(self._file, 0)
            os.pwrite(self._file, f"{os.getpid()}\n".encode(), 0)

    def release(self) -> None:
        """Let others write."""
        with contextlib.suppress(OSError):
            os.ftruncate(self._file, 0)
        os.close(self._file)


def mark_cut_off(folder: Path) -> None:
    """Let the next one that writes in a folder know that somebody has written elsewhere, and died."""
    (folder / FILE_NAME).write_text(f"{ELSEWHERE}\n", encoding="ascii")


def _lock_file(folder: Path) -> int:
    try:
        return os.open(folder / FILE_NAME, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise StoreError(
            f"{folder} cannot be written: {error.strerror}", advice="check the folder's rights and its disk"
        ) from error


def writer_of(folder: Path) -> int | None:
    """The process that writes in this folder now, or None.

    The lock is tried only when the process named in its file is alive, so that looking rarely gets in a writer's way.
    """
    path = folder / FILE_NAME
    try:
        owner = int(path.read_text(encoding="ascii"))
        os.kill(owner, 0)
    except (OSError, ValueError):
        return None
    with path.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return owner
    return None
