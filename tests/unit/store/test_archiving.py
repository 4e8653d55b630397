"""The archive has every payload once, and its files are accounted for."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from haenyeo.model.errors import StoreError
from haenyeo.model.visits import Hop, Outcome
from haenyeo.store import PageRecord, PartState, Session, Store, archive
from haenyeo.store.archive import members
from haenyeo.store.warc import read_record, read_session

Make = Callable[..., PageRecord]
Kinds = Callable[[Path], list[str]]


def files(folder: Path) -> list[Path]:
    return sorted((folder / "archive").iterdir())


def all_kinds(kinds: Kinds, folder: Path) -> list[str]:
    """The kinds of all records, file after file."""
    return [kind for path in files(folder) for kind in kinds(path)]


def with_hop(record: PageRecord, **facts: object) -> PageRecord:
    hop = msgspec.structs.replace(record.answer.hops[-1], **facts)
    return msgspec.structs.replace(record, answer=msgspec.structs.replace(record.answer, hops=(hop,)))


def test_the_original_bytes_come_back(store: Store, make_record: Make) -> None:
    for number in range(3):
        store.save(make_record(number))
    for number in range(3):
        record = make_record(number)
        [visit] = store.visits(record.answer.url)
        response = store.response(visit)
        assert store.body(visit) == response.body == record.answer.body
        assert (response.url, response.status, response.at) == (record.answer.url, 200, visit.at)
        assert response.header("content-type") == "text/html"


def test_a_payload_is_archived_once(store: Store, folder: Path, make_record: Make, kinds: Kinds) -> None:
    record = make_record()
    for _ in range(2):
        store.save(record)
    store.flush()
    assert all_kinds(kinds, folder) == ["warcinfo", "response", "request", "revisit", "request"]
    assert [store.body(visit) for visit in store.visits(record.answer.url)] == [record.answer.body] * 2


def test_a_small_payload_is_archived_each_time(store: Store, folder: Path, make_record: Make, kinds: Kinds) -> None:
    for _ in range(2):
        store.save(with_hop(make_record(), body=b"small"))
    store.flush()
    assert all_kinds(kinds, folder) == ["warcinfo", "response", "request", "response", "request"]


def test_a_cut_body_is_never_referred_to(store: Store, folder: Path, make_record: Make, kinds: Kinds) -> None:
    for _ in range(2):
        store.save(with_hop(make_record(), cut=True))
    store.flush()
    assert "revisit" not in all_kinds(kinds, folder)


def test_a_payload_whose_file_is_gone_is_archived_again(store: Store, folder: Path, make_record: Make) -> None:
    store.save(make_record())
    [visit] = store.visits("https://a.example/0")
    store.close()
    files(folder)[0].unlink()
    with Store.open(folder, writing=True) as opened:
        with pytest.raises(StoreError, match="no archived response"):
            opened.body(opened.visits(visit.url)[0])
        opened.save(make_record())
        assert opened.body(opened.visits(visit.url)[1]) == make_record().answer.body


def test_a_304_refers_to_the_content_it_confirms(store: Store, folder: Path, make_record: Make, kinds: Kinds) -> None:
    record = make_record()
    store.save(record)
    unchanged = with_hop(record, status=304, body=b"", headers=())
    answer = msgspec.structs.replace(unchanged.answer, outcome=Outcome.UNCHANGED, status=304, body=b"")
    store.save(msgspec.structs.replace(unchanged, answer=answer, document=None))
    store.flush()
    assert all_kinds(kinds, folder) == ["warcinfo", "response", "request", "revisit", "request"]
    assert b"server-not-modified" in gzip.decompress(files(folder)[0].read_bytes())
    last = store.visits(record.answer.url)[-1]
    assert (last.changed, store.response(last).status, store.body(last)) == (False, 304, record.answer.body)


def test_every_hop_is_archived(
    store: Store, folder: Path, make_record: Make, make_hop: Callable[..., Hop], kinds: Kinds
) -> None:
    record = make_record()
    hops = (make_hop("https://a.example/old", b"", status=301), *record.answer.hops)
    store.save(msgspec.structs.replace(record, answer=msgspec.structs.replace(record.answer, hops=hops)))
    store.archive_hops([make_hop("https://a.example/robots.txt", b"User-agent: *")])
    store.flush()
    assert all_kinds(kinds, folder) == ["warcinfo", *["response", "request"] * 3]
    assert store.body(store.visits(record.answer.url)[0]) == record.answer.body


def test_a_full_file_is_followed_by_another(
    store: Store, folder: Path, make_record: Make, monkeypatch: pytest.MonkeyPatch, kinds: Kinds
) -> None:
    monkeypatch.setattr(archive, "FULL_FILE", 1500)
    for number in range(6):
        store.save(make_record(number))
    store.flush()
    names = [path.name for path in files(folder)]
    assert len(names) > 1
    assert [name[-13:] for name in names] == [f"{serial:05d}.warc.gz" for serial in range(1, len(names) + 1)]
    assert all_kinds(kinds, folder).count("warcinfo") == len(names)
    assert all_kinds(kinds, folder).count("response") == 6
    for number in range(6):
        record = make_record(number)
        assert store.body(store.visits(record.answer.url)[0]) == record.answer.body


def sessions(folder: Path) -> list[Session]:
    """What the archive says at each response of how it follows those before."""
    path = files(folder)[0]
    found, mark = [], Session.GOES_ON
    for _, _, record in members(path, path.stat().st_size):
        mark = max(mark, read_session(record))
        if read_record(record):
            found.append(mark)
            mark = Session.GOES_ON
    return found


def test_the_archive_shows_where_what_was_learnt_was_put_down(folder: Path, make_record: Make) -> None:
    with Store.create(folder) as store:
        for number in range(2):
            store.save(make_record(number))
        store.mark(Session.SETTLES)
        store.save(make_record(2))
    with Store.open(folder, writing=True) as store:
        store.save(make_record(3))
        store.mark(Session.SETTLES)
        store.mark(Session.BEGINS)
        store.mark(Session.SETTLES)
        store.save(make_record(4))
    assert [mark.name for mark in sessions(folder)] == ["BEGINS", "GOES_ON", "SETTLES", "BEGINS", "BEGINS"]


def test_a_mark_that_was_taken_back_is_made_again(folder: Path, make_record: Make) -> None:
    with Store.create(folder) as store:
        store.save(make_record(0))
        store.mark(Session.SETTLES)
        unstorable = PartState(part="test", key="\ud800", value=b"")
        with pytest.raises(UnicodeEncodeError):
            store.save(msgspec.structs.replace(make_record(1), states=[unstorable]))
        store.save(make_record(2))
    assert [mark.name for mark in sessions(folder)] == ["BEGINS", "SETTLES"]


def test_a_later_run_goes_on_with_the_same_file(folder: Path, make_record: Make, kinds: Kinds) -> None:
    Store.create(folder).close()
    for number in range(3):
        with Store.open(folder, writing=True) as store:
            store.save(make_record(number))
    assert all_kinds(kinds, folder) == ["warcinfo", "response", "request"] * 3


def test_a_torn_end_is_cut_off(store: Store, folder: Path, make_record: Make) -> None:
    store.save(make_record(1))
    store.close()
    whole = files(folder)[0].read_bytes()
    files(folder)[0].write_bytes(whole + whole[:300])
    Store.open(folder, writing=True).close()
    assert files(folder)[0].read_bytes() == whole


def test_a_lost_end_costs_only_the_bytes_in_it(store: Store, folder: Path, make_record: Make, kinds: Kinds) -> None:
    for number in range(3):
        store.save(make_record(number))
    last = store.visits("https://a.example/2")[0]
    store.close()
    with files(folder)[0].open("r+b") as file:
        file.truncate(last.start + 10)
    with Store.open(folder, writing=True) as opened:
        assert len(list(opened.pages())) == 3
        assert opened.body(opened.visits("https://a.example/1")[0]) == make_record(1).answer.body
        assert opened.visits("https://a.example/2")[0].archive == ""
        opened.save(make_record(2))
        assert opened.body(opened.visits("https://a.example/2")[1]) == make_record(2).answer.body
    assert all_kinds(kinds, folder).count("response") == 3


def test_files_of_others_are_left_alone(store: Store, folder: Path, make_record: Make) -> None:
    (folder / "archive" / "mine.warc.gz").write_bytes(b"")
    store.save(make_record())
    store.close()
    Store.open(folder, writing=True).close()
    assert (folder / "archive" / "mine.warc.gz").exists()
