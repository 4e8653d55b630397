"""The collection in numbers, and page by page."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from haenyeo.model.visits import Outcome
from haenyeo.store import PageRecord, Store, reading

Make = Callable[..., PageRecord]


@pytest.fixture(autouse=True)
def _small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "ROWS_IN_STEP", 3)


def test_pages_come_in_the_order_of_their_first_visits(store: Store, make_record: Make) -> None:
    for number in (5, 2, 9, 1, 7, 8, 3):
        store.save(make_record(number, kept=number != 9))
    store.save(make_record(5))
    assert [page.title for page in store.pages()] == [f"Page {number}" for number in (5, 2, 1, 7, 8, 3)]
    assert len(list(store.pages(kept_only=False))) == 7


def test_only_new_content_is_exported_since_a_time(store: Store, make_record: Make) -> None:
    for number in range(10):
        store.save(make_record(number))
    page = store.page("https://a.example/6")
    assert page is not None
    assert page.changed_at is not None
    assert [page.title for page in store.pages(since=page.changed_at)] == ["Page 6", "Page 7", "Page 8", "Page 9"]
    assert list(store.pages(since=page.changed_at + timedelta(days=1))) == []


def test_pages_may_be_saved_while_they_are_read(store: Store, make_record: Make) -> None:
    for number in range(5):
        store.save(make_record(number))
    seen = []
    for page in store.pages():
        seen.append(page.title)
        if len(seen) < 5:
            store.save(make_record(len(seen) + 10))
            store.flush()
    assert len(seen) == len(set(seen)) == 9


def test_a_long_reading_does_not_hold_back_the_log(store: Store, folder: Path, make_record: Make) -> None:
    for number in range(5):
        store.save(make_record(number))
    store.flush()
    with Store.open(folder, writing=False) as reader:
        next(reader.pages())
        busy, _, _ = store._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    assert busy == 0


def test_counts_tell_pages_failures_and_sites(store: Store, make_record: Make, make_failure: Make) -> None:
    for number in range(4):
        store.save(make_record(number, kept=number < 3))
    store.save(make_failure("https://a.example/x"))
    store.save(make_failure("https://a.example/y"))
    store.save(make_failure("https://a.example/z", outcome=Outcome.GONE, reason="404"))
    store.flush()
    counts = store.counts()
    assert (counts.kept, counts.fetched, counts.asked, counts.visits, counts.moved) == (3, 4, 7, 7, 0)
    assert (counts.found, counts.sites) == (8, 2)
    assert counts.outcomes == {"page": 4, "failed": 2, "gone": 1}
    assert counts.archive_bytes == sum(file.stat().st_size for file in (store.folder / "archive").iterdir())
    assert counts.database_bytes > 0
    assert [(row.outcome, row.reason, row.pages) for row in store.failures()] == [
        ("failed", "network", 2),
        ("gone", "404", 1),
    ]
    [site] = store.site_counts()
    assert (site.site, site.asked, site.fetched, site.kept) == ("a.example", 7, 4, 3)


def test_an_empty_store_counts_nothing(store: Store) -> None:
    counts = store.counts()
    assert (counts.kept, counts.asked, counts.visits, counts.found, counts.outcomes) == (0, 0, 0, 0, {})
    assert (store.harvest(), store.site_counts(), store.failures()) == ([], [], [])


def test_the_harvest_grows_with_the_pages_fetched(store: Store, make_record: Make, make_failure: Make) -> None:
    for number in range(10):
        store.save(make_record(number, kept=number % 2 == 0))
    store.save(make_failure("https://a.example/x"))
    assert store.harvest() == [(number, (number + 1) // 2) for number in range(1, 11)]
    assert store.harvest(points=3) == [(1, 1), (5, 3), (10, 5)]


def test_fingerprints_of_kept_pages_come_back(store: Store, make_record: Make) -> None:
    for number in range(7):
        store.save(make_record(number, kept=number > 0, digest=b"%d" % number, simhash=2**63 + number))
    assert [(mark.digest, mark.simhash) for mark in store.fingerprints()] == [
        (b"%d" % number, 2**63 + number) for number in range(1, 7)
    ]
