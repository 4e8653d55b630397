"""The catalogue knows which shard has a site, the same for ever, and every change of it is whole."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from haenyeo.model.errors import CollectionError, NoCollectionError
from haenyeo.store.shards.catalogue import BUCKETS, Catalogue, bucket_of, dealt_out, is_sharded


def test_a_site_stays_in_its_bucket_whatever_the_program_version() -> None:
    assert [bucket_of(site) for site in ("example.org", "haenyeo.kr", "")] == [3909, 2531, 1218]


def test_buckets_are_dealt_out_evenly() -> None:
    counts = Counter(dealt_out(3))
    assert set(counts) == {0, 1, 2}
    assert max(counts.values()) - min(counts.values()) <= 1


def test_there_is_a_bucket_for_every_shard_or_none_is_made() -> None:
    assert len(set(dealt_out(BUCKETS))) == BUCKETS
    for count in (0, BUCKETS + 1):
        with pytest.raises(CollectionError):
            dealt_out(count)


def test_what_is_noted_is_there_for_all_who_open_the_catalogue(tmp_path: Path) -> None:
    Catalogue.create(tmp_path, dealt_out(2))
    assert is_sharded(tmp_path)
    with Catalogue(tmp_path) as one, Catalogue(tmp_path) as other:
        one.put([("report/0001", b"b"), ("report/0000", b"a"), ("run", b"r"), ("reporters", b"")])
        assert other.all("report") == {0: b"a", 1: b"b"}
        assert other.get("run") == b"r"
        other.forget("report")
        assert one.all("report") == {}
        assert one.get("reporters") == b""
        assert one.owners().of("example.org") == bucket_of("example.org") % 2


def test_a_folder_without_one_is_told_apart(tmp_path: Path) -> None:
    assert not is_sharded(tmp_path)
    with pytest.raises(NoCollectionError):
        Catalogue(tmp_path)
