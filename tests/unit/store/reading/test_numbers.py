from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import msgspec

from haenyeo.model.visits import Found, Outcome
from haenyeo.store import PageRecord, Store

Make = Callable[..., PageRecord]


def test_counts_tell_pages_failures_and_sites(store: Store, make_record: Make, make_failure: Make) -> None:
    for number in range(4):
        store.save(make_record(number, kept=number < 3))
    store.save(make_failure("https://a.example/x"))
    store.save(make_failure("https://a.example/y"))
    store.save(make_failure("https://a.example/z", outcome=Outcome.GONE, reason="404"))
    store.flush()
    counts = store.counts()
    assert (counts.kept, counts.fetched, counts.asked, counts.visits, counts.moved) == (3, 4, 7, 7, 0)
    assert (counts.found, counts.sites) == (8, 1)
    assert counts.outcomes == {"page": 4, "failed": 2, "gone": 1}
    assert counts.archive_bytes == sum(file.stat().st_size for file in (store.folder / "archive").iterdir())
    assert counts.database_bytes > 0
    assert [(row.outcome, row.reason, row.pages) for row in store.failures()] == [
        ("failed", "network", 2),
        ("gone", "404", 1),
    ]
    [site] = store.site_counts()
    assert (site.site, site.asked, site.fetched, site.kept) == ("a.example", 7, 4, 3)


def test_sites_that_never_brought_anything_are_not_among_the_sites(
    store: Store, make_record: Make, make_failure: Make
) -> None:
    store.save(make_record(1))
    store.save(msgspec.structs.replace(make_failure("https://dead.example/"), site="dead.example"))
    assert [site.site for site in store.site_counts()] == ["a.example"]
    assert store.counts().sites == 1
    assert [(row.reason, row.example) for row in store.failures()] == [("network", "https://dead.example/")]


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


def test_failures_of_a_site_are_counted_by_reason_and_status(
    store: Store, make_record: Make, make_failure: Make
) -> None:
    store.save(make_record(0))
    store.save(make_failure("https://a.example/x"))
    store.save(make_failure("https://a.example/y"))
    store.save(make_failure("https://a.example/z", outcome=Outcome.GONE, reason="404", status=404))
    [site] = [number for number, name in store.sites().items() if name == "a.example"]
    told = [(one.outcome, one.reason, one.status, one.pages, one.example) for one in store.site_failures(site, 20)]
    assert told == [
        (Outcome.FAILED, "network", 0, 2, "https://a.example/x"),
        (Outcome.GONE, "404", 404, 1, "https://a.example/z"),
    ]
    assert len(store.site_failures(site, 1)) == 1
    assert store.site_failures(site + 100, 20) == []


def test_what_visits_found_is_counted_since_a_time(store: Store, make_record: Make) -> None:
    first = make_record(0)
    store.save(first)
    store.save(make_record(0))
    assert {one.found: one.visits for one in store.found_counts()} == {Found.NEW: 1, Found.SAME_BYTES: 1}
    assert store.found_counts(since=first.at + timedelta(days=9)) == []
