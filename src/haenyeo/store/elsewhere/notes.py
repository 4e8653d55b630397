"""Files of the archive, wherever they are: here, or where the note in their place says.

A note is a small JSON file, `NAME.warc.gz.elsewhere`. It is written when the file's copy has been read back and has the
same digest, and before the file here may go; so at any moment there is the file, or a note that is right, or both.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

import msgspec

from haenyeo.model.errors import UsageError

ENDING = ".elsewhere"


class MovedFile(msgspec.Struct, frozen=True, kw_only=True):
    """Where a file is now, how long it is, and the SHA-256 of what was read back there."""

    address: str
    length: int
    sha256: str


def note_of(path: Path) -> Path:
    """Where the note on a file is, if there is one."""
    return path.with_name(path.name + ENDING)


def is_noted(path: Path) -> bool:
    """Whether a copy of the file is elsewhere."""
    return note_of(path).exists()


def moved(path: Path) -> MovedFile | None:
    """Where the file that was here is now; None if there is no note on it."""
    try:
        return msgspec.json.decode(note_of(path).read_bytes(), type=MovedFile)
    except FileNotFoundError:
        return None
    except msgspec.MsgspecError as error:
        raise OSError(0, f"the note {note_of(path).name} is damaged: {error}") from error


def noted_files(folder: Path, pattern: str) -> list[Path]:
    """The places in a folder of files that were moved, by a glob pattern of their names."""
    return [path.with_name(path.name.removesuffix(ENDING)) for path in folder.glob(pattern + ENDING)]


def length_of(path: Path) -> int:
    """How many bytes a file has, here or elsewhere."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        found = moved(path)
        if found is None:
            raise
        return found.length


def part_of(path: Path, start: int, length: int) -> bytes:
    """Some bytes of a file; elsewhere only these are asked for."""
    try:
        with path.open("rb") as file:
            return os.pread(file.fileno(), length, start)
    except FileNotFoundError:
        found = moved(path)
        if found is None:
            raise
    system, place = file_system(found.address)
    return bytes(system.cat_file(place, start=start, end=start + length))


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """The file to be read from its beginning to its end, here or elsewhere."""
    found = None if path.exists() else moved(path)
    if found is None:
        with path.open("rb") as file:
            yield file
        return
    system, place = file_system(found.address)
    with system.open(place, "rb") as file:
        yield cast("BinaryIO", file)


def file_system(address: str) -> tuple[Any, str]:
    """The storage that an address such as s3://bucket/folder names, and the place in it."""
    try:
        import fsspec
    except ImportError as error:
        raise _not_installed(address) from error
    try:
        system, place = fsspec.core.url_to_fs(address)
    except ImportError as error:
        raise _not_installed(address) from error
    except ValueError as error:
        raise UsageError(f"{address} names no storage: {error}", advice="write it as s3://bucket/folder") from error
    return system, str(place)


def _not_installed(address: str) -> UsageError:
    return UsageError(
        f"{address} needs a storage library that is not installed", advice="install it: pip install 'haenyeo[s3]'"
    )
