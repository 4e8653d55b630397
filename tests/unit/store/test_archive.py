from __future__ import annotations

import errno
import gzip
from datetime import UTC, datetime
from pathlib import Path

import pytest

from haenyeo.model.errors import DiskFullError, StoreError
from haenyeo.store import archive
from haenyeo.store.archive import GrowingFile, explained, file_name, mend


def test_a_file_without_anything_committed_is_removed(tmp_path: Path) -> None:
    path = tmp_path / "new.warc.gz"
    path.write_bytes(b"torn")
    assert mend(path, 0) == 0
    assert not path.exists()
    assert mend(path, 0) == 0


@pytest.mark.parametrize("most_waiting", [0, 1 << 18])
def test_what_was_taken_back_is_written_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most_waiting: int
) -> None:
    monkeypatch.setattr(archive, "MOST_WAITING", most_waiting)
    file = GrowingFile(tmp_path / "a.warc.gz", 0)
    file.append(gzip.compress(b"one"))
    length = file.length
    file.append(gzip.compress(b"two"))
    file.cut(length)
    file.append(gzip.compress(b"three"))
    file.close()
    assert gzip.decompress((tmp_path / "a.warc.gz").read_bytes()).endswith(b"onethree")


def test_names_sort_by_time() -> None:
    assert file_name(7, datetime(2025, 3, 1, 9, 5, tzinfo=UTC)) == "haenyeo-20250301090500-00007.warc.gz"


def test_a_file_shorter_than_known_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    path.write_bytes(b"abc")
    assert mend(path, 10) == 3
    assert path.read_bytes() == b"abc"
    assert mend(tmp_path / "never made", 10) == 0


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG])
def test_a_full_disk_is_told_from_other_troubles(tmp_path: Path, code: int) -> None:
    assert isinstance(explained(OSError(code, "no room"), tmp_path), DiskFullError)
    assert not isinstance(explained(OSError(errno.EACCES, "denied"), tmp_path), DiskFullError)


def test_a_response_whose_file_is_gone_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be read"):
        archive.read(tmp_path, "gone.warc.gz", 0, 10)
