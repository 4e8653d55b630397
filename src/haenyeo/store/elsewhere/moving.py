"""Brings finished files to another storage; what arrived is read back and compared before the file here may go."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import BinaryIO

import msgspec

from haenyeo.model.errors import StoreError
from haenyeo.store.elsewhere.notes import MovedFile, file_system, moved, note_of

STEP = 1 << 20


def move(path: Path, folder: str, *, keep: bool = False) -> MovedFile:
    """Bring a finished file into a folder elsewhere, leave a note, and remove it here unless it is to be kept.

    A call that was cut off is done again from its beginning; a file that has its note is not sent a second time.
    Raises `StoreError` if what arrived is not what was sent; the file stays here then.
    """
    found = moved(path)
    if found is None:
        found = send(path, f"{folder.rstrip('/')}/{path.name}")
        _write_note(note_of(path), found)
    if not keep:
        path.unlink(missing_ok=True)
    return found


def send(path: Path, address: str) -> MovedFile:
    """Write a copy of a file to an address elsewhere, and read it back; raises `StoreError` if the two differ."""
    system, place = file_system(address)
    with path.open("rb") as file:
        digest, length = digest_of(file)
    try:
        system.makedirs(place.rpartition("/")[0], exist_ok=True)
        system.put_file(str(path), place)
        with system.open(place, "rb") as file:
            arrived = digest_of(file)
    except OSError as error:
        raise StoreError(
            f"{path.name} cannot be brought to {address}: {error}",
            advice="check the address and the rights there; the file is still here",
        ) from error
    if arrived != (digest, length):
        raise StoreError(
            f"what arrived at {address} is not what was sent",
            advice="the file is still here; it is sent again next time",
        )
    return MovedFile(address=address, length=length, sha256=digest)


def digest_of(file: BinaryIO) -> tuple[str, int]:
    """The SHA-256 of what is left of a file, and how many bytes that is."""
    digest, length = hashlib.sha256(), 0
    while part := file.read(STEP):
        digest.update(part)
        length += len(part)
    return digest.hexdigest(), length


def _write_note(note: Path, told: MovedFile) -> None:
    """Write the note so that it is on the disk, whole, before anything else is done."""
    unfinished = note.with_name(f"{note.name}.part")
    with unfinished.open("wb") as file:
        file.write(msgspec.json.encode(told))
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(note)
