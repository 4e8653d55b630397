"""The files of `archive/`: appended to, started anew when large, cut back to what the database knows after a crash.

The life of a file: the database *announces* it (a committed row of length 0), it is *created*, it *grows* with every
page, and the database learns its length with every commit; past a size it is *closed* and never written again, and
may be moved elsewhere. A kill leaves at worst bytes past the known length, and `mend` cuts them off; a file is removed
only if it was announced and nothing in it was committed. So files that others have put into the folder are safe.
"""

from __future__ import annotations

import errno
import logging
import os
import re
import zlib
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from haenyeo.model.errors import DiskFullError, StoreError
from haenyeo.model.visits import Hop
from haenyeo.store.deflate import GZIP
from haenyeo.store.elsewhere import noted_files, opened, part_of
from haenyeo.store.warc import read_response

log = logging.getLogger(__name__)

NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
FULL_FILE = 1_000_000_000
STEP = 1 << 18
MOST_WAITING = 1 << 18
"""Bytes of records that wait to be handed to the system: to hand over few is nearly as dear as to hand over many."""

_OURS = re.compile(r"haenyeo-\d{14}-\d{5,}\.warc\.gz")


def file_name(serial: int, now: datetime) -> str:
    """A name that sorts by time and cannot come twice in a collection."""
    return f"haenyeo-{now.astimezone(UTC):%Y%m%d%H%M%S}-{serial:05d}.warc.gz"


def archived_files(folder: Path) -> list[Path]:
    """The files that a collection in this folder has written, in the order they were begun."""
    archive, pattern = folder / "archive", "haenyeo-*.warc.gz"
    found = {*archive.glob(pattern), *noted_files(archive, pattern)}
    return sorted(path for path in found if _OURS.fullmatch(path.name))


def mend(path: Path, length: int) -> int:
    """Cut a file back to its known length and return how long it is; one with nothing in it is removed.

    It can be shorter than known after a power failure; then nothing is cut.
    """
    try:
        size = path.stat().st_size
        if size > length:
            log.info("cutting %d unfinished bytes off %s", size - length, path.name)
            os.truncate(path, length)
        if length == 0:
            path.unlink()
    except FileNotFoundError:
        return 0
    except OSError as error:
        raise explained(error, path) from error
    return min(size, length)


def read(folder: Path, name: str, start: int, length: int) -> Hop:
    """The response at this place of a file."""
    path = folder / name
    try:
        member = part_of(path, start, length)
    except OSError as error:
        raise StoreError(
            f"the archived response in {path} cannot be read: {error.strerror or error}",
            advice="the file was moved or removed; put it back, or do without the original bytes",
        ) from error
    return read_response(member)


def explained(error: OSError, path: Path) -> StoreError:
    """The error of a file operation as one of ours."""
    if error.errno in NO_ROOM:
        return DiskFullError(
            f"no room to write {path}: {error.strerror}",
            advice="make room and go on; everything up to the last commit is safe",
        )
    return StoreError(f"{path} cannot be written: {error.strerror}", advice="check the folder's rights and its disk")


def members(path: Path, length: int, start: int = 0) -> Iterator[tuple[int, int, bytes]]:
    """Start, size and content of each gzip member, a record each, from `start` on and up to a length.

    Raises `zlib.error` or `ValueError` at a member that is not whole.
    """
    with opened(path) as file:
        file.seek(start)
        rest = b""
        while start < length:
            unpacking, parts, read = zlib.decompressobj(GZIP), [], 0
            while not unpacking.eof:
                data = rest or file.read(STEP)
                if not data:
                    raise ValueError("the file ends within a record")
                parts.append(unpacking.decompress(data))
                rest = unpacking.unused_data
                read += len(data) - len(rest)
            yield start, read, b"".join(parts)
            start += read


class GrowingFile:
    """The file that is written now; its last bytes may still wait to be handed to the system."""

    def __init__(self, path: Path, length: int) -> None:
        self.path, self.length = path, length
        self._waiting = bytearray()
        try:
            self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise explained(error, path) from error

    @property
    def full(self) -> bool:
        """Whether it is time for the next file."""
        return self.length >= FULL_FILE

    def append(self, data: bytes) -> int:
        """Take in bytes, whole or not at all, and return where they start; `hand_over` comes before they are read."""
        start = self.length
        self._waiting += data
        self.length += len(data)
        if len(self._waiting) > MOST_WAITING:
            try:
                self.hand_over()
            except StoreError:
                self.cut(self.length - len(data))
                raise
        return start

    def hand_over(self) -> None:
        """Hand all bytes to the system, or none of those that wait."""
        try:
            self._write(self._waiting, self._handed_over)
        except OSError as error:
            self._truncate(self._handed_over)
            raise explained(error, self.path) from error
        self._waiting = bytearray()

    def cut(self, length: int) -> None:
        """Forget all bytes past this length."""
        if length < self._handed_over:
            self._truncate(length)
            self._waiting.clear()
        else:
            del self._waiting[length - self._handed_over :]
        self.length = length

    def close(self) -> None:
        """Bring the bytes to the disk and let go of the file."""
        try:
            self.hand_over()
            os.fsync(self._file)
        except OSError as error:
            raise explained(error, self.path) from error
        finally:
            os.close(self._file)

    @property
    def _handed_over(self) -> int:
        return self.length - len(self._waiting)

    def _truncate(self, length: int) -> None:
        # Bytes that cannot be cut off now are written over by the next page, or cut by `mend`.
        with suppress(OSError):
            os.ftruncate(self._file, length)

    def _write(self, data: bytearray, start: int) -> None:
        written = os.pwrite(self._file, data, start) if data else 0
        while written < len(data):  # the rest of what the system did not take at once
            written += os.pwrite(self._file, memoryview(data)[written:], start + written)
