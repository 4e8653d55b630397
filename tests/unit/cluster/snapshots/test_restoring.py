"""What is elsewhere of a shard: which snapshot holds, who may write the next, and what a folder made from it has."""

from __future__ import annotations

import asyncio
import os
import shutil
from pathlib import Path

import msgspec
import pytest

from haenyeo.cluster.snapshots.journal import CopiedTies, LinkJournal
from haenyeo.cluster.snapshots.manifests import NOTE, ShardAddress, read_note
from haenyeo.cluster.snapshots.mirror import Mirror, changed_files, place_on
from haenyeo.cluster.snapshots.restoring import bring_home, is_as_brought, send_out, settle_in
from haenyeo.cluster.snapshots.taking import ShardSnapshots
from haenyeo.model.config import StorageSettings
from haenyeo.model.errors import CollectionError, StoreError
from haenyeo.model.pages import Url
from haenyeo.store import NewLink, Store
from haenyeo.store.shards.catalogue import Catalogue, dealt_out, shard_folder

DIVISION = "first"
LINK = NewLink(url=Url("http://a.example/1"), site="a.example", score=0.5)


@pytest.fixture
def far(tmp_path: Path) -> StorageSettings:
    return StorageSettings(archive=f"file://{tmp_path}/far", snapshots=True)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A collection in shards; the first one knows one link."""
    folder = tmp_path / "reef"
    with Store.create(shard_folder(folder, 0)) as store:
        store.add_seeds([LINK])
    Catalogue.create(folder, dealt_out(1))
    return folder


def taken(shard: Path, far: StorageSettings) -> None:
    with Store.open(shard, writing=True) as store:
        ShardSnapshots(shard, ShardAddress(far.archive, DIVISION, 0), keep=False).copy(store.pinned())


def found(shard: Path) -> int:
    with Store.open(shard, writing=False) as store:
        return store.counts().found


def add(shard: Path, name: str) -> None:
    with Store.open(shard, writing=True) as store:
        store.add_seeds([NewLink(url=Url(f"http://a.example/{name}"), site="a.example", score=0.5)])


def test_a_manifest_that_was_cut_off_leaves_the_one_before(home: Path, far: StorageSettings, tmp_path: Path) -> None:
    shard, place = shard_folder(home, 0), ShardAddress(far.archive, DIVISION, 0)
    taken(shard, far)
    first = place.newest()
    add(shard, "2")
    taken(shard, far)
    last = max((tmp_path / "far/shards-first/0000").glob("manifest-*"))
    last.write_bytes(last.read_bytes()[:40])
    assert place.newest() == first
    settle_in(tmp_path / "other", ShardAddress(far.archive, DIVISION, 0))
    assert found(tmp_path / "other") == 1


def test_old_snapshots_go_and_the_last_two_stay(home: Path, far: StorageSettings) -> None:
    for _ in range(4):
        taken(shard_folder(home, 0), far)
    place = ShardAddress(far.archive, DIVISION, 0)
    assert place.names("manifest-") == ["manifest-00000003.json", "manifest-00000004.json"]
    assert place.names("haenyeo-") == ["haenyeo-00000003.db", "haenyeo-00000004.db"]


def test_a_life_ends_where_another_begins(home: Path, far: StorageSettings, tmp_path: Path) -> None:
    shard, other = shard_folder(home, 0), tmp_path / "other"
    taken(shard, far)
    with Store.open(shard, writing=True) as store:
        snapshots = ShardSnapshots(shard, ShardAddress(far.archive, DIVISION, 0), keep=False)
        settle_in(other, ShardAddress(far.archive, DIVISION, 0))
        with pytest.raises(StoreError, match="another machine"):
            snapshots.copy(store.pinned())
    add(other, "2")
    taken(other, far)
    settle_in(other, ShardAddress(far.archive, DIVISION, 0))
    assert found(other) == 2, "a folder that is the last is left as it is"
    settle_in(shard, ShardAddress(far.archive, DIVISION, 0))
    assert found(shard) == 2


def test_whoever_makes_a_shard_anew_does_not_know_whom_it_asked_last(
    home: Path, far: StorageSettings, tmp_path: Path
) -> None:
    taken(shard_folder(home, 0), far)
    settle_in(tmp_path / "other", ShardAddress(far.archive, DIVISION, 0))
    with Store.open(tmp_path / "other", writing=True) as store:
        assert store.was_cut_off


def test_a_copy_that_is_not_what_was_sent_is_refused(home: Path, far: StorageSettings, tmp_path: Path) -> None:
    taken(shard_folder(home, 0), far)
    [copy] = (tmp_path / "far/shards-first/0000").glob("*.db")
    copy.write_bytes(copy.read_bytes()[:-1])
    with pytest.raises(StoreError, match="not what was sent"):
        settle_in(tmp_path / "other", ShardAddress(far.archive, DIVISION, 0))
    assert not (tmp_path / "other" / "haenyeo.db").exists()


def test_a_shard_goes_out_and_comes_home(home: Path, far: StorageSettings, tmp_path: Path) -> None:
    shard, node = shard_folder(home, 0), tmp_path / "node"
    send_out(shard, ShardAddress(far.archive, DIVISION, 0), keep=False)
    assert is_as_brought(shard)
    settle_in(node, ShardAddress(far.archive, DIVISION, 0))
    add(node, "2")
    taken(node, far)
    send_out(shard, ShardAddress(far.archive, DIVISION, 0), keep=False)  # nothing was changed here: what is away holds
    bring_home(shard, ShardAddress(far.archive, DIVISION, 0))
    assert (found(shard), is_as_brought(shard)) == (2, True)
    add(shard, "3")
    send_out(shard, ShardAddress(far.archive, DIVISION, 0), keep=False)
    settle_in(node, ShardAddress(far.archive, DIVISION, 0))
    assert found(node) == 3, "what was changed at home is known away"


def test_what_was_changed_at_home_and_away_is_told(home: Path, far: StorageSettings, tmp_path: Path) -> None:
    shard, node = shard_folder(home, 0), tmp_path / "node"
    send_out(shard, ShardAddress(far.archive, DIVISION, 0), keep=False)
    settle_in(node, ShardAddress(far.archive, DIVISION, 0))
    add(shard, "2")
    with pytest.raises(CollectionError, match="was changed here"):
        send_out(shard, ShardAddress(far.archive, DIVISION, 0), keep=False)
    (shard / NOTE).unlink()
    send_out(shard, ShardAddress(far.archive, DIVISION, 0), keep=False)
    settle_in(node, ShardAddress(far.archive, DIVISION, 0))
    assert found(node) == 2


def test_batches_that_come_together_are_kept_together_and_read_again(far: StorageSettings) -> None:
    place = ShardAddress(far.archive, DIVISION, 0)

    async def keep() -> LinkJournal:
        journal = LinkJournal(place, "life")
        await asyncio.gather(*(journal.keep(bytes([number])) for number in range(5)))
        return journal

    journal = asyncio.run(keep())
    assert 1 <= len(journal.written()) <= 2
    again = LinkJournal(place, "other")
    assert sorted(again.taken_up()) == [bytes([number]) for number in range(5)]
    again.forget(again.written())
    assert place.names("links-") == []


def test_a_batch_that_cannot_be_kept_is_tried_with_the_next(far: StorageSettings, tmp_path: Path) -> None:
    place = ShardAddress(far.archive, DIVISION, 0)
    (tmp_path / "far").write_text("in the way", "utf-8")

    async def keep() -> None:
        journal = LinkJournal(place, "life")
        with pytest.raises(StoreError):
            await journal.keep(b"one")
        (tmp_path / "far").unlink()
        await journal.keep(b"two")

    asyncio.run(keep())
    assert LinkJournal(place, "other").taken_up() == [b"one", b"two"]


def test_what_is_left_in_an_inbox_is_kept_elsewhere_first(home: Path, far: StorageSettings) -> None:
    ties = CopiedTies(home, 0, far.archive, DIVISION)
    assert asyncio.run(ties.send(0, "links-1", b"batch"))
    [(name, batch)] = ties.arrived(9)
    ties.close()
    journal = LinkJournal(ShardAddress(far.archive, DIVISION, 0), "life")
    journal.note([name])
    [kept] = journal.written()
    assert batch == b"batch"
    assert msgspec.msgpack.decode(ShardAddress(far.archive, DIVISION, 0).read(kept)) == [batch]
    shutil.rmtree(shard_folder(home, 0) / "inbox")
    again = CopiedTies(home, 0, far.archive, DIVISION)
    assert not asyncio.run(CopiedTies(home, 0, far.archive, DIVISION).send(1, "links-1", b"to nobody"))
    again.close()


def test_a_mirror_has_what_the_folder_has_and_tells_what_was_learnt(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NODE", str(tmp_path / "node"))
    place = place_on("$NODE/disk", home)
    assert place.is_relative_to(tmp_path / "node" / "disk")
    (home / "haenyeo.toml").write_text("# settings", "utf-8")
    (home / "examples").mkdir()
    (home / "examples" / "000-a.html").write_text("page", "utf-8")
    mirror = Mirror(place, 0)
    mirror.take(changed_files(home, mirror.news().times))
    assert (place / "examples" / "000-a.html").read_text("utf-8") == "page"
    assert changed_files(home, mirror.news().times) == {}
    (shard_folder(place, 0)).mkdir(parents=True)
    (shard_folder(place, 0) / "learnt").write_bytes(b"much")
    assert mirror.news().learnt == mirror.news().learnt == b"much", "until it was heard"
    os.utime(home / "haenyeo.toml", (1, 1))
    mirror.take(changed_files(home, mirror.news().times))
    assert mirror.news().learnt is None


def test_a_folder_that_was_never_copied_has_no_note(tmp_path: Path) -> None:
    assert read_note(tmp_path) is None
