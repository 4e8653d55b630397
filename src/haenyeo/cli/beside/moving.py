"""Brings finished files of the archive elsewhere beside a crawl, and says what became of them."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from haenyeo.model.config import StorageSettings
from haenyeo.model.errors import HaenyeoError

LOOK_EVERY = 20.0  # seconds; a file is finished every gigabyte


@contextmanager
def moving(folder: Path, storage: StorageSettings, *, quiet: bool) -> Iterator[None]:
    """Inside, files are brought to the storage that the settings name as soon as they are finished."""
    if not storage.archive:
        yield
        return
    over = threading.Event()
    work = _Mover(folder, storage)
    thread = threading.Thread(target=work.until, args=(over,), name="haenyeo storage", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
        work.look()
        if work.trouble:
            click.echo(f"files of the archive stay here: {work.trouble}", err=True)
        elif work.moved and not quiet:
            click.echo(f"{work.moved} files of the archive are at {storage.archive} now")


class _Mover:
    """Looks for finished files; what could not be brought is tried again at the next look."""

    def __init__(self, folder: Path, storage: StorageSettings) -> None:
        self._folder, self._storage = folder, storage
        self.moved, self.trouble = 0, ""

    def until(self, over: threading.Event) -> None:
        """Look now and then until it is over."""
        while not over.wait(LOOK_EVERY):
            self.look()

    def look(self) -> None:
        """Bring what is finished."""
        from haenyeo.collect.exporting.moving import move_finished

        try:
            self.moved += len(move_finished(self._folder, self._storage))
            self.trouble = ""
        except HaenyeoError as error:
            self.trouble = f"{error}{f'; {error.advice}' if error.advice else ''}"
