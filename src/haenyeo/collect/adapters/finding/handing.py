"""Verdicts on pages handed to the process that writes in the collection: one file each, in the folder `verdicts`.

Whoever judges puts a file there, whole; a crawl under way looks every second, takes it up, and leaves what came of it
beside, under the same name. A verdict that nobody has taken up waits for the next one who may write.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import msgspec

from haenyeo.model.pages import Url

FOLDER = "verdicts"
_WAITING, _DONE = ".json", ".done"
_OLD = 60.0  # seconds after which nobody will ask what came of a verdict
_MOST_AT_ONCE = 100


class UserVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """What the user says of a page; `asked` if it was the judge that asked him, `undone` if he takes his word back."""

    url: Url
    topic: str
    relevant: bool
    asked: bool = False
    undone: bool = False


class Correction(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a verdict; a page that was never `fetched` will be as soon as a crawl goes on.

    `taken_up` is False as long as another process has yet to take it up; `undone` says that a verdict was taken back.
    """

    url: Url
    topic: str
    relevant: bool
    fetched: bool
    undone: bool = False
    now_kept: int = 0
    no_longer_kept: int = 0
    taken_up: bool = True

    def counted(self, now_kept: int, no_longer_kept: int) -> Correction:
        """The correction with the other pages whose fate it changed, so many more."""
        return msgspec.structs.replace(
            self, now_kept=self.now_kept + now_kept, no_longer_kept=self.no_longer_kept + no_longer_kept
        )


def hand_over(folder: Path, verdict: UserVerdict) -> Path:
    """Leave a verdict for the process that writes; the file by which it is known."""
    (folder / FOLDER).mkdir(exist_ok=True)
    path = folder / FOLDER / f"{time.time_ns():020}-{os.getpid()}{_WAITING}"
    unfinished = path.with_suffix(".part")
    unfinished.write_bytes(msgspec.json.encode(verdict))
    unfinished.replace(path)
    return path


def handed(folder: Path) -> Iterator[tuple[Path, UserVerdict]]:
    """The verdicts that wait, the oldest first.

    Files that are none are removed, and so are answers nobody has asked for.
    """
    try:
        paths = sorted((folder / FOLDER).iterdir())
    except OSError:
        return
    for path in paths:
        if path.suffix != _WAITING:
            _remove_old(path)
    for path in [path for path in paths if path.suffix == _WAITING][:_MOST_AT_ONCE]:
        try:
            yield path, msgspec.json.decode(path.read_bytes(), type=UserVerdict)
        except (OSError, msgspec.DecodeError):
            path.unlink(missing_ok=True)


def settle(path: Path, done: Correction) -> None:
    """Say what came of a verdict that was taken up and stored."""
    with suppress(OSError):  # a full disk: the verdict counts all the same
        path.with_suffix(_DONE).write_bytes(msgspec.json.encode(done))
    path.unlink(missing_ok=True)


def answer(path: Path) -> Correction | None:
    """What came of a verdict handed over, once it was taken up; asked once."""
    if path.exists():
        return None
    done = path.with_suffix(_DONE)
    try:
        return msgspec.json.decode(done.read_bytes(), type=Correction)
    except (OSError, msgspec.DecodeError):
        return None
    finally:
        done.unlink(missing_ok=True)


def _remove_old(path: Path) -> None:
    with suppress(OSError):
        if time.time() - path.stat().st_mtime > _OLD:
            path.unlink()
