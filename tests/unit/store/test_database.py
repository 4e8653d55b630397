"""A database that is not ours, not whole or not of today is told apart, and left as it is."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from haenyeo.model.errors import CollectionBusyError, DiskFullError, StoreError
from haenyeo.store import PageRecord, Store, database
from haenyeo.store.database import APPLICATION_ID, explained
from haenyeo.store.migrations import steps

Make = Callable[..., PageRecord]


def pragma(folder: Path, name: str) -> object:
    with closing(sqlite3.connect(folder / "haenyeo.db")) as connection:
        return connection.execute(f"PRAGMA {name}").fetchone()[0]


def run(folder: Path, sql: str) -> None:
    with closing(sqlite3.connect(folder / "haenyeo.db")) as connection:
        connection.executescript(sql)


def test_a_new_database_is_marked_as_ours_and_of_today(folder: Path) -> None:
    Store.create(folder).close()
    assert pragma(folder, "application_id") == APPLICATION_ID
    assert pragma(folder, "user_version") == steps()[-1][0]
    assert pragma(folder, "journal_mode") == "wal"
    assert pragma(folder, "integrity_check") == "ok"


def test_steps_are_numbered_without_gaps() -> None:
    assert [number for number, _ in steps()] == list(range(1, len(steps()) + 1))


@pytest.mark.parametrize("writing", [True, False])
def test_another_programs_database_is_refused_and_left_alone(folder: Path, *, writing: bool) -> None:
    folder.mkdir()
    run(folder, "CREATE TABLE page (id); PRAGMA user_version = 1;")
    before = (folder / "haenyeo.db").read_bytes()
    with pytest.raises(StoreError, match="another program"):
        Store.open(folder, writing=writing)
    assert (folder / "haenyeo.db").read_bytes() == before


@pytest.mark.parametrize("writing", [True, False])
def test_a_newer_version_is_refused_with_what_to_do(folder: Path, *, writing: bool) -> None:
    Store.create(folder).close()
    run(folder, "PRAGMA user_version = 9999")
    with pytest.raises(StoreError, match="9999") as caught:
        Store.open(folder, writing=writing)
    assert "update haenyeo" in caught.value.advice


@pytest.mark.parametrize("writing", [True, False])
def test_a_file_that_is_no_database_is_refused(folder: Path, *, writing: bool) -> None:
    folder.mkdir()
    (folder / "haenyeo.db").write_text("a letter to my grandmother, who was a diver " * 200)
    with pytest.raises(StoreError, match="damaged or no database"):
        Store.open(folder, writing=writing)


@pytest.mark.parametrize("writing", [True, False])
def test_a_collection_whose_making_was_cut_short_is_completed(folder: Path, *, writing: bool) -> None:
    folder.mkdir()
    (folder / "haenyeo.db").touch()
    with Store.open(folder, writing=writing) as store:
        assert store.counts().asked == 0


def test_a_collection_without_its_database_gets_one(folder: Path) -> None:
    folder.mkdir()
    (folder / "haenyeo.toml").touch()
    with Store.open(folder, writing=True) as store:
        assert store.counts().asked == 0


def test_a_reader_brings_an_older_database_up_to_date(
    folder: Path, make_record: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store.create(folder) as store:
        store.save(make_record())
    newer = [*steps(), (len(steps()) + 1, "CREATE TABLE later (id INTEGER PRIMARY KEY);")]
    monkeypatch.setattr(database, "steps", lambda: newer)
    with Store.open(folder, writing=False) as reader:
        assert reader.counts().kept == 1
    assert pragma(folder, "user_version") == newer[-1][0]


def test_a_step_that_fails_leaves_the_version_before_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Store.create(folder).close()
    broken = [*steps(), (len(steps()) + 1, "CREATE TABLE later (id); CREATE TABLE page (id);")]
    with monkeypatch.context() as patch:
        patch.setattr(database, "steps", lambda: broken)
        with pytest.raises(StoreError, match="already exists"):
            Store.open(folder, writing=True)
    assert pragma(folder, "user_version") == steps()[-1][0]
    Store.open(folder, writing=True).close()


def test_a_lock_by_another_program_is_named_as_such(store: Store, folder: Path, make_record: Make) -> None:
    store._connection.execute("PRAGMA busy_timeout = 1")
    with closing(sqlite3.connect(folder / "haenyeo.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(CollectionBusyError, match="another program"):
            store.save(make_record(document=None))
        other.execute("ROLLBACK")
    store.save(make_record())


def test_a_full_database_is_told_from_other_errors(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "small.db")) as connection:
        connection.execute("PRAGMA max_page_count = 2")
        with pytest.raises(sqlite3.OperationalError) as caught:
            connection.executescript("CREATE TABLE a (b); CREATE TABLE c (d);")
    assert isinstance(explained(caught.value, tmp_path), DiskFullError)
    assert not isinstance(explained(sqlite3.ProgrammingError("closed"), tmp_path), DiskFullError)


@pytest.mark.parametrize("writing", [True, False])
def test_a_folder_with_odd_characters_works(tmp_path: Path, *, writing: bool) -> None:
    folder = tmp_path / "바다 ?mode=ro#%20"
    Store.create(folder).close()
    with Store.open(folder, writing=writing) as store:
        assert store.counts().asked == 0
