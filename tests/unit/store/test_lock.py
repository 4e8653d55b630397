"""Only one process writes, and the others are told which."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from haenyeo.model.errors import CollectionBusyError, StoreError
from haenyeo.store import Store
from haenyeo.store.lock import WriterLock

HOLDER = """
import sys
from pathlib import Path
from haenyeo.store.lock import WriterLock
lock = WriterLock(Path(sys.argv[1]))
print("held", flush=True)
sys.stdin.read()
"""


def test_a_second_writer_is_refused_with_the_first_ones_number(folder: Path) -> None:
    with Store.create(folder):
        for attempt in (Store.create, lambda place: Store.open(place, writing=True)):
            with pytest.raises(CollectionBusyError, match=f"process {os.getpid()}"):
                attempt(folder)
    Store.open(folder, writing=True).close()


def test_readers_work_beside_a_writer(folder: Path) -> None:
    with Store.create(folder), Store.open(folder, writing=False) as one, Store.open(folder, writing=False) as two:
        assert one.counts() == two.counts()


def test_the_lock_ends_with_its_process(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(CollectionBusyError, match=f"process {holder.pid} "):
            WriterLock(tmp_path)
        holder.kill()
    WriterLock(tmp_path).release()


def test_a_writer_knows_whether_the_one_before_was_cut_off(tmp_path: Path) -> None:
    first = WriterLock(tmp_path)
    assert not first.cut_off
    first.release()
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        holder.kill()
    for expected in (True, False):
        lock = WriterLock(tmp_path)
        assert lock.cut_off is expected
        lock.release()


def test_a_failed_opening_lets_go_of_the_lock(folder: Path) -> None:
    folder.mkdir()
    (folder / "haenyeo.db").write_bytes(b"no database at all" * 500)
    for _ in range(2):
        with pytest.raises(StoreError, match="no database"):
            Store.open(folder, writing=True)


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be written"):
        WriterLock(tmp_path / "missing")
