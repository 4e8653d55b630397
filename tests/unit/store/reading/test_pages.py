from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import msgspec
import pytest

from haenyeo.model.pages import Url
from haenyeo.model.visits import Hop, Outcome
from haenyeo.store import PageRecord, Store
from haenyeo.store.reading import connected

Make = Callable[..., PageRecord]


@pytest.fixture(autouse=True)
def _small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connected, "ROWS_IN_STEP", 3)


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


def test_fingerprints_of_kept_pages_come_back(store: Store, make_record: Make) -> None:
    for number in range(7):
        store.save(make_record(number, kept=number > 0, digest=b"%d" % number, simhash=2**63 + number))
    assert [(mark.digest, mark.simhash) for mark in store.fingerprints()] == [
        (b"%d" % number, 2**63 + number) for number in range(1, 7)
    ]


def test_a_page_is_found_by_its_number(store: Store, make_record: Make) -> None:
    for number in range(3):
        store.save(make_record(number))
    page = store.page_numbered(2)
    assert page is not None
    assert (page.id, page.title) == (2, "Page 1")
    assert store.newest_page() == 3


@pytest.mark.parametrize("number", [0, 9, 2**63, 2**70])
def test_a_number_of_no_page_finds_none(store: Store, make_record: Make, number: int) -> None:
    assert store.newest_page() == 0
    store.save(make_record(0))
    assert store.page_numbered(number) is None


def test_a_number_of_an_address_that_redirects_leads_to_the_page(
    store: Store, make_record: Make, make_hop: Callable[..., Hop]
) -> None:
    store.save(make_record(0))
    plain = make_record(1)
    hops = (make_hop("https://a.example/0", status=301), *plain.answer.hops)
    answer = msgspec.structs.replace(plain.answer, url=Url("https://a.example/0"), hops=hops)
    store.save(msgspec.structs.replace(plain, answer=answer))
    page = store.page_numbered(1)
    assert page is not None
    assert page.url == "https://a.example/1"


def test_listed_pages_come_in_the_order_asked_for(store: Store, make_record: Make) -> None:
    for number in range(4):
        store.save(make_record(number, kept=number != 2))
    listed = store.listed_pages([3, 77, 1])
    assert [page.title for page in listed] == ["Page 2", "Page 0"]
    assert [page.kept for page in listed] == [False, True]
    assert listed[1].site == "a.example"
    assert listed[1].relevance == {"divers": 0.75}
    assert listed[1].text == "해녀 page 0"
    assert store.listed_pages([]) == []


def test_a_listed_page_without_text_is_listed(store: Store, make_failure: Make) -> None:
    store.save(make_failure())
    [listed] = store.listed_pages([1])
    assert (listed.text, listed.title, listed.relevance, listed.changed_at) == ("", "", {}, None)


def test_newest_addresses_of_an_outcome_come_last_first(store: Store, make_record: Make, make_failure: Make) -> None:
    for number in range(3):
        store.save(make_record(number))
    store.save(make_failure("https://a.example/x"))
    assert store.newest_addresses(Outcome.PAGE, 2) == ["https://a.example/2", "https://a.example/1"]
    assert store.newest_addresses(Outcome.GONE, 2) == []
