from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from haenyeo.model.errors import UsageError
from haenyeo.store.page_files import GivenPage, opened_for_reading, opened_for_writing, pages_of_files, pages_of_lines

PACK: dict[str, Callable[[bytes], bytes]] = {"": bytes, ".gz": gzip.compress, ".zst": zstandard.compress}


@pytest.mark.parametrize("suffix", list(PACK))
def test_pages_are_read_from_lines_packed_by_suffix(tmp_path: Path, suffix: str) -> None:
    given = [{"url": "https://www.reef.example/1", "html": "<p>a"}, {"url": "x", "html": "<p>b", "site": "mine"}]
    path = tmp_path / f"pages.jsonl{suffix}"
    path.write_bytes(PACK[suffix]("\n\n".join(map(json.dumps, given)).encode()))
    assert list(pages_of_lines(path)) == [
        GivenPage("reef.example", "https://www.reef.example/1", "<p>a"),
        GivenPage("mine", "x", "<p>b"),
    ]


@pytest.mark.parametrize("line", [b"{}", b"[]", b"no json", b'{"url": 1, "html": ""}', b'{"url": "\xff", "html": ""}'])
def test_a_line_that_is_no_page_is_named(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "pages.jsonl"
    path.write_bytes(b'{"url": "x", "html": ""}\n' + line)
    with pytest.raises(UsageError, match="line 2"):
        list(pages_of_lines(path))


def test_a_page_in_a_file_belongs_to_the_site_it_names_or_to_its_folder(tmp_path: Path) -> None:
    named, plain = tmp_path / "named.html", tmp_path / "plain.html"
    named.write_text('<link rel=canonical href="https://www.reef.example/1"><p>a', encoding="utf-8")
    plain.write_bytes("<meta charset=euc-kr><p>해녀".encode("cp949"))
    first, second = pages_of_files([named, plain])
    assert (first.site, first.url) == ("reef.example", str(named))
    assert second.site == str(tmp_path)
    assert "해녀" in second.html


@pytest.mark.parametrize("suffix", list(PACK))
def test_what_is_written_can_be_read(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"texts{suffix}"
    with opened_for_writing(path, suffix) as file:
        file.write(b"one\ntwo\n")
    assert (path.read_bytes() == b"one\ntwo\n") == (suffix == "")
    with opened_for_reading(path) as file:
        assert file.readlines() == [b"one\n", b"two\n"]
