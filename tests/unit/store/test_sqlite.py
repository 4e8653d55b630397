"""What goes in comes out, whole pages at a time."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest

from haenyeo.model.errors import CollectionError, NoCollectionError, StoreError
from haenyeo.model.pages import Document, Url
from haenyeo.model.visits import Answer, Hop, Outcome, Validators
from haenyeo.store import NewEvent, NewLink, PageRecord, PartState, Store

Make = Callable[..., PageRecord]
NOW = datetime(2025, 3, 2, tzinfo=UTC)


def redirected(record: PageRecord, hop: Hop) -> PageRecord:
    """The record as if the page had been reached over `hop`."""
    answer = msgspec.structs.replace(record.answer, url=hop.url, hops=(hop, *record.answer.hops))
    return msgspec.structs.replace(record, answer=answer)


def test_a_saved_page_can_be_read_back(store: Store, make_record: Make) -> None:
    saved = store.save(make_record(3, depth=2, simhash=2**64 - 1))
    page = store.page("https://a.example/3")
    assert page is not None
    assert (page.id, page.title, page.text, page.language) == (saved.page, "Page 3", "해녀 page 3", "ko")
    assert (page.site, page.depth, page.kept, page.relevance) == ("a.example", 2, True, {"divers": 0.75})
    assert (page.outcome, page.status, page.visits, page.simhash) == (Outcome.PAGE, 200, 1, 2**64 - 1)
    assert page.first_at == page.last_at == page.fetched_at == page.changed_at


def test_an_address_never_visited_is_unknown(store: Store) -> None:
    assert store.page("https://a.example/") is None
    assert store.visits("https://a.example/") == []


def test_others_see_a_page_once_it_is_committed(store: Store, folder: Path, make_record: Make) -> None:
    with Store.open(folder, writing=False) as reader:
        store.save(make_record())
        assert (store.pending, reader.counts().kept) == (1, 0)
        store.flush()
        assert (store.pending, reader.counts().kept) == (0, 1)


def test_closing_commits(folder: Path, make_record: Make) -> None:
    with Store.create(folder) as store:
        store.save(make_record())
    with Store.open(folder, writing=False) as reader:
        assert reader.counts().kept == 1


def test_closing_twice_does_no_harm(folder: Path) -> None:
    store = Store.create(folder)
    store.close()
    store.close()


def test_a_second_visit_replaces_the_content_and_tells_whether_it_changed(store: Store, make_record: Make) -> None:
    first = make_record()
    answer = first.answer
    hop = msgspec.structs.replace(answer.hops[-1], body=b"<p>new words")
    changed = msgspec.structs.replace(
        first,
        answer=msgspec.structs.replace(answer, body=hop.body, hops=(hop,)),
        document=Document(url=answer.url, text="new words"),
        kept=False,
    )
    assert [store.save(record).changed for record in (first, first, changed)] == [None, False, True]
    page = store.page(first.answer.url)
    assert page is not None
    assert (page.text, page.visits, page.kept) == ("new words", 3, False)
    assert [visit.changed for visit in store.visits(first.answer.url)] == [None, False, True]


def test_a_page_that_is_no_longer_worth_its_text_loses_it(store: Store, make_record: Make) -> None:
    store.save(make_record())
    store.save(make_record(document=None, digest=b"other", kept=False))
    page = store.page("https://a.example/0")
    assert page is not None
    assert (page.text, page.digest) == ("", b"other")


def test_a_failure_is_a_visit_but_no_page(store: Store, make_failure: Make) -> None:
    store.save(make_failure())
    page = store.page("https://a.example/0")
    assert page is not None
    assert (page.outcome, page.reason, page.kept, page.changed_at) == (Outcome.FAILED, "network", False, None)
    assert [(visit.outcome, visit.reason) for visit in store.visits(page.url)] == [(Outcome.FAILED, "network")]
    assert list(store.pages()) == []


def test_a_success_replaces_a_failure(store: Store, make_record: Make, make_failure: Make) -> None:
    store.save(make_failure())
    assert store.save(make_record()).changed is None
    page = store.page("https://a.example/0")
    assert page is not None
    assert (page.outcome, page.reason, page.kept, page.text) == (Outcome.PAGE, "", True, "해녀 page 0")


@pytest.mark.parametrize("outcome", [Outcome.FAILED, Outcome.GONE, Outcome.ERROR, Outcome.UNCHANGED])
def test_good_content_outlives_a_visit_that_brought_none(
    store: Store, make_record: Make, make_failure: Make, outcome: Outcome
) -> None:
    store.save(make_record(relevance={"a": 0.5}))
    store.save(make_failure(outcome=outcome))
    page = store.page("https://a.example/0")
    assert page is not None
    assert (page.kept, page.text, page.title, page.outcome) == (True, "해녀 page 0", "Page 0", outcome)
    assert page.relevance == {"a": 0.5}
    assert page.changed_at == page.first_at < page.last_at


def test_a_304_confirms_the_content(store: Store, make_record: Make, make_failure: Make) -> None:
    store.save(make_record())
    assert store.save(make_failure(outcome=Outcome.UNCHANGED, status=304)).changed is False
    page = store.page("https://a.example/0")
    assert page is not None
    assert page.fetched_at == page.last_at


def test_the_verdict_on_content_wins_over_the_answer(store: Store, make_record: Make) -> None:
    store.save(make_record(outcome=Outcome.DUPLICATE, reason="same as another", document=None, kept=False))
    page = store.page("https://a.example/0")
    assert page is not None
    assert (page.outcome, page.reason) == (Outcome.DUPLICATE, "same as another")


def test_a_kept_page_reached_again_is_no_duplicate_of_itself(store: Store, make_record: Make) -> None:
    store.save(make_record())
    store.save(make_record(outcome=Outcome.DUPLICATE, kept=False))
    assert [(page.outcome, page.text) for page in store.pages()] == [(Outcome.UNCHANGED, "해녀 page 0")]
    other = Document(url=Url("https://a.example/0"), text="the words of another page")
    store.save(make_record(outcome=Outcome.DUPLICATE, kept=False, document=other))
    assert list(store.pages()) == []


def test_validators_come_back_even_with_foreign_bytes(store: Store, make_record: Make) -> None:
    record = make_record()
    validators = Validators(etag='W/"\udcff"', last_modified="yesterday")
    answer = msgspec.structs.replace(record.answer, validators=validators, content_type="text/html; charset=\udce9")
    store.save(msgspec.structs.replace(record, answer=answer))
    page = store.page(record.answer.url)
    assert page is not None
    assert page.validators == Validators(etag='W/"?"', last_modified="yesterday")


def test_a_redirect_leads_to_the_page(store: Store, make_record: Make, make_hop: Callable[..., Hop]) -> None:
    record = make_record()
    store.save(redirected(record, make_hop("https://a.example/old", b"", status=301)))
    page = store.page("https://a.example/old")
    assert page is not None
    assert page.url == record.answer.final_url
    assert [page.url for page in store.pages()] == [record.answer.final_url]
    assert (store.counts().asked, store.counts().moved) == (1, 1)


def test_a_page_that_now_redirects_is_no_longer_a_page(
    store: Store, make_record: Make, make_hop: Callable[..., Hop]
) -> None:
    store.save(make_record(1))
    store.save(redirected(make_record(2), make_hop("https://a.example/1", b"", status=302)))
    assert [page.url for page in store.pages(kept_only=False)] == ["https://a.example/2"]
    store.save(make_record(1))
    assert [page.url for page in store.pages()] == ["https://a.example/1", "https://a.example/2"]


def test_a_page_is_kept_under_the_address_the_record_names(store: Store, make_record: Make) -> None:
    store.save(make_record(url=Url("https://a.example/canonical")))
    assert [page.url for page in store.pages()] == ["https://a.example/canonical"]
    assert store.page("https://a.example/0") == store.page("https://a.example/canonical")


def test_an_unfinished_address_waits_on(store: Store, make_failure: Make, make_link: Callable[..., NewLink]) -> None:
    store.add_seeds([make_link("https://a.example/0"), make_link("https://a.example/1")])
    store.save(msgspec.structs.replace(make_failure("https://a.example/0"), finished=False))
    store.save(make_failure("https://a.example/1"))
    [batch] = store.waiting()
    assert [link.url for link in store.links(batch.refs.tolist())] == ["https://a.example/0"]


def test_large_states_come_back_whole_in_place_of_smaller_and_larger_ones(folder: Path) -> None:
    large, larger = bytes(range(256)) * 9_001, b"\x00\xff" * 2_000_001
    with Store.create(folder) as store:
        for value in (b"small", large, larger, large):
            store.put_state("scorer", "weights", value)
            assert store.state("scorer", "weights") == value
        store.put_state("scorer", "other", larger)
    with Store.open(folder, writing=False) as reader:
        assert list(reader.states("scorer")) == [("other", larger), ("weights", large)]


def test_parts_find_again_what_they_remembered(store: Store, folder: Path, make_record: Make) -> None:
    store.put_state("scorer", "weights", b"1")
    store.save(make_record(states=[PartState(part="scorer", key="weights", value=b"2")]))
    store.put_state("scorer", "", b"3")
    store.put_state("pace", "weights", b"4")
    assert store.state("scorer", "weights") == b"2"
    assert store.state("scorer", "unknown") is None
    assert dict(store.states("scorer")) == {"weights": b"2", "": b"3"}
    store.flush()
    with Store.open(folder, writing=False) as reader:
        assert reader.state("pace", "weights") == b"4"


def test_events_come_back_in_order(store: Store, make_record: Make) -> None:
    later = NOW + timedelta(hours=1)
    store.add_event(NewEvent(kind="alarm", at=NOW, url="https://a.example/", data=b"{}"))
    store.save(make_record(events=[NewEvent(kind="notice", at=later)]))
    assert [(event.kind, event.at, event.data) for event in store.events()] == [
        ("alarm", NOW, b"{}"),
        ("notice", later, b""),
    ]
    assert [event.kind for event in store.events(since=later)] == ["notice"]
    assert [event.kind for event in store.events(after=1)] == ["notice"]


def test_a_user_may_change_the_verdict(store: Store, make_record: Make) -> None:
    store.save(make_record())
    store.rejudge("https://a.example/0", {"divers": 0.0}, kept=False)
    page = store.page("https://a.example/0")
    assert page is not None
    assert (page.kept, page.relevance) == (False, {"divers": 0.0})


def test_a_page_that_cannot_be_stored_leaves_no_trace(store: Store, folder: Path, make_record: Make) -> None:
    store.save(make_record(1))
    size = sum(file.stat().st_size for file in folder.glob("archive/*"))
    with pytest.raises(OverflowError):
        store.save(make_record(2, depth=2**70))
    assert sum(file.stat().st_size for file in folder.glob("archive/*")) == size
    assert store.pending == 1
    saved = store.save(make_record(3))
    assert (saved.page, saved.visit) == (2, 2)
    assert [page.url for page in store.pages()] == ["https://a.example/1", "https://a.example/3"]
    assert store.counts().found == 4


def test_a_reader_cannot_write(folder: Path) -> None:
    Store.create(folder).close()
    with Store.open(folder, writing=False) as reader, pytest.raises(StoreError, match="reading only"):
        reader.put_state("part", "key", b"")


def test_there_must_be_a_collection_to_open(tmp_path: Path) -> None:
    for writing in (True, False):
        with pytest.raises(NoCollectionError, match="no collection"):
            Store.open(tmp_path / "missing", writing=writing)


def test_a_collection_is_not_made_over_another(store: Store, folder: Path, make_record: Make) -> None:
    store.save(make_record())
    store.close()
    with pytest.raises(CollectionError, match="already"):
        Store.create(folder)
    with Store.open(folder, writing=True) as opened:
        assert opened.counts().kept == 1


def test_a_place_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CollectionError, match="file"):
        Store.create(tmp_path / "file")


def test_an_answer_without_a_request_needs_no_archive(store: Store, folder: Path) -> None:
    url = Url("https://a.example/")
    answer = Answer(url=url, final_url=url, outcome=Outcome.REFUSED, reason="robots.txt")
    store.save(PageRecord(answer=answer, site="a.example", at=NOW))
    [visit] = store.visits(url)
    assert (visit.at, visit.archive) == (NOW, "")
    assert list(folder.glob("archive/*")) == []
    with pytest.raises(StoreError, match="no archived response"):
        store.body(visit)
