"""The index of the archive, looked up as replay tools do."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from warcio.archiveiterator import ArchiveIterator  # type: ignore[import-untyped]

from haenyeo.model.errors import StoreError
from haenyeo.store import PageRecord, Store
from haenyeo.store.cdx import index_lines, sort_key

Make = Callable[..., PageRecord]


def _filled(store: Store, make_record: Make) -> tuple[Path, int]:
    for number in (0, 1, 0):
        store.save(make_record(number))
    store.flush()
    [(path, length)] = store.archives()
    return path, length


def test_every_answer_is_where_its_line_says(store: Store, make_record: Make) -> None:
    path, length = _filled(store, make_record)
    lines = [line.split(" ", 2) for line in index_lines(path, length)]
    assert [key for key, _, _ in lines] == ["example,a)/0", "example,a)/1", "example,a)/0"]
    assert lines[0][1] == "20250301120000"
    said: list[dict[str, Any]] = [msgspec.json.decode(line[2]) for line in lines]
    assert [fact["mime"] for fact in said] == ["text/html", "text/html", "warc/revisit"]
    for fact in said:
        start, size = int(fact["offset"]), int(fact["length"])
        [record] = ArchiveIterator(io.BytesIO(path.read_bytes()[start : start + size]))
        assert record.rec_headers.get_header("WARC-Target-URI") == fact["url"]
        assert record.rec_headers.get_header("WARC-Payload-Digest") == fact["digest"]
        assert record.http_headers.get_statuscode() == fact["status"] == "200"


def test_bytes_that_belong_to_no_visit_are_left_out(store: Store, make_record: Make) -> None:
    path, length = _filled(store, make_record)
    with path.open("ab") as file:
        file.write(b"torn")
    assert len(list(index_lines(path, length))) == 3


def test_an_archive_that_was_cut_or_removed_is_said_to_be(store: Store, make_record: Make) -> None:
    path, length = _filled(store, make_record)
    with path.open("r+b") as file:
        file.truncate(length - 10)
    with pytest.raises(StoreError, match="cannot be read"):
        list(index_lines(path, length))
    path.unlink()
    with pytest.raises(StoreError):
        list(index_lines(path, length))


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("https://WWW2.Example.org", "org,example)/"),
        ("http://example.org:8080/A/b?C=d#e", "org,example:8080)/a/b?c=d"),
        ("http://user:secret@example.org/", "org,example)/"),
        ("http://[::1]:81/x", "[::1]:81)/x"),
        ("http://10.0.0.1/", "10.0.0.1)/"),
    ],
)
def test_addresses_of_one_site_stand_together(url: str, key: str) -> None:
    assert sort_key(url) == key
