"""What a visit found, in comparison with the last content."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from haenyeo.model.pages import Document, Url
from haenyeo.model.visits import Found, Outcome
from haenyeo.store import PageRecord, SavedPage, Store

Make = Callable[..., PageRecord]
URL = Url("https://a.example/0")


def with_text(record: PageRecord, text: str, body: bytes | None = None, **facts: Any) -> PageRecord:
    """The record with another text, and with another body unless it shall stay."""
    answer = record.answer
    if body is not None:
        hop = msgspec.structs.replace(answer.hops[-1], body=body)
        answer = msgspec.structs.replace(answer, body=body, hops=(hop,))
    document = Document(url=URL, title="Page 0", text=text)
    return msgspec.structs.replace(record, answer=answer, document=document, **facts)


def visited(store: Store, *records: PageRecord) -> list[SavedPage]:
    return [store.save(record) for record in records]


def test_the_first_content_is_new(store: Store, make_record: Make) -> None:
    [first] = visited(store, make_record(0))
    assert (first.found, first.changed) == (Found.NEW, None)


def test_the_same_bytes_are_no_change_however_they_are_read(store: Store, make_record: Make) -> None:
    record = make_record(0)
    _, again, otherwise = visited(store, record, record, with_text(record, "read in another way"))
    assert (again.found, again.changed) == (Found.SAME_BYTES, False)
    assert (otherwise.found, otherwise.changed) == (Found.SAME_BYTES, False)
    assert [visit.changed for visit in store.visits(URL)] == [None, False, False]
    page = store.page(URL)
    assert page is not None
    assert page.changed_at == page.first_at


def test_other_bytes_with_the_same_text_are_no_change(store: Store, make_record: Make) -> None:
    record = make_record(0)
    _, again = visited(store, with_text(record, "words", b"<p>words"), with_text(record, "words", b"<b>words"))
    assert (again.found, again.changed) == (Found.SAME_TEXT, False)


@pytest.mark.parametrize(("near", "found"), [(False, Found.CHANGED), (True, Found.NEAR_TEXT)])
def test_another_text_is_a_change_unless_it_is_nearly_the_same(
    store: Store, make_record: Make, near: bool, found: Found
) -> None:
    record = make_record(0)
    _, again = visited(store, record, with_text(record, "other words", b"<p>other words", near=near))
    assert (again.found, again.changed) == (found, not near)


def test_visits_that_bring_nothing_tell_so(store: Store, make_record: Make, make_failure: Make) -> None:
    lost = make_failure(URL, outcome=Outcome.GONE, reason="404")
    _, failed, gone = visited(store, make_record(0), make_failure(URL), lost)
    assert (failed.found, failed.changed) == (Found.NOTHING, None)
    assert gone.found is Found.GONE


def test_another_way_to_read_replaces_a_text_and_only_a_text(store: Store, make_record: Make) -> None:
    store.save(make_record(0))
    store.save(make_record(1, document=None))
    store.put_text(URL, "read again")
    store.put_text("https://a.example/1", "read again")
    store.put_text("https://a.example/never", "read again")
    page, without = store.page(URL), store.page("https://a.example/1")
    assert page is not None
    assert without is not None
    assert (page.text, without.text) == ("read again", "")


def test_addresses_without_a_page_do_not_count_among_the_newest_judgements(
    store: Store, make_record: Make, make_failure: Make
) -> None:
    visited(store, *(make_record(number) for number in range(4)))
    visited(store, *(make_failure(Url(f"https://a.example/dead/{number}")) for number in range(6)))
    assert [page.url for page in store.judgements(newest=2)] == ["https://a.example/2", "https://a.example/3"]
    assert len(list(store.judgements(newest=9))) == len(list(store.judgements())) == 4
