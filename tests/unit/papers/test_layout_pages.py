from __future__ import annotations

import io
import json
import tarfile
from pathlib import Path

import pytest
import zstandard

from haenyeo.model.errors import UsageError
from haenyeo.papers.layout_pages import REPEATING, pages_for

FILES = {
    "a.html": "<p>a",
    "b.html": "<p>b",
    "c.html": "<p>c",
    "index.json": json.dumps(
        {
            "pages": [{"file": "a.html"}, {"file": "b.html", "pattern": False}],
            "stable": [{"a": "a.html", "b": "b.html"}],
            "groups": [{"pages": ["a.html", "b.html", "c.html"]}],
            "redesign": [
                {"before": "a.html", "after": "c.html", "strict": True},
                {"before": "b.html", "after": "c.html"},
            ],
        }
    ),
}


def packed(path: Path, folder: str) -> Path:
    with io.BytesIO() as out:
        with tarfile.open(fileobj=out, mode="w") as archive:
            for name, text in FILES.items():
                member = tarfile.TarInfo(folder + name)
                member.size = len(text.encode())
                archive.addfile(member, io.BytesIO(text.encode()))
        path.write_bytes(zstandard.compress(out.getvalue()))
    return path


@pytest.mark.parametrize("form", ["folder", "archive", "archive of a folder"])
def test_a_data_set_is_a_folder_or_an_archive(tmp_path: Path, form: str) -> None:
    data = tmp_path
    if form == "folder":
        for name, text in FILES.items():
            (tmp_path / name).write_text(text, encoding="utf-8")
    else:
        data = packed(tmp_path / "pages.tar.zst", "pages/" if form == "archive of a folder" else "./")
    pages = pages_for(data)
    assert (pages.edited, pages.without_pattern) == ([], 2)
    assert [(pair.kind, pair.before, pair.after) for pair in pages.stable] == [
        ("one page known", ("<p>a",), "<p>b"),
        ("two pages known", ("<p>a", "<p>b"), "<p>c"),
    ]
    assert [pair.kind for pair in pages.redesigned] == ["breaks a wrapper", "other"]


@pytest.mark.parametrize("index", ["{}", "no json", '{"pages": [{"file": "none.html"}], "stable": [], "redesign": []}'])
def test_what_is_no_data_set_is_refused_with_advice(tmp_path: Path, index: str) -> None:
    (tmp_path / "index.json").write_text(index, encoding="utf-8")
    with pytest.raises(UsageError, match="not a data set") as refused:
        pages_for(tmp_path)
    assert "docs/watch.md" in refused.value.advice


@pytest.mark.parametrize("data", [b"no archive", zstandard.compress(b"no tar"), zstandard.compress(bytes(10240))])
def test_an_archive_without_a_data_set_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "pages.tar.zst"
    path.write_bytes(data)
    with pytest.raises(UsageError, match="not a data set"):
        pages_for(path)


@pytest.mark.slow
def test_the_demo_web_has_pages_of_every_sort() -> None:
    pages = pages_for(None)
    assert len(pages.edited) == REPEATING
    assert {pair.kind for pair in pages.stable} == {
        "the same page later",
        "another page of a list",
        "another page of a list, two known",
    }
    assert {pair.kind for pair in pages.redesigned} == {"small", "names", "full"}
