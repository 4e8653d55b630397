from __future__ import annotations

import csv
import io
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from haenyeo.collect.export import export_pages, write_csv, write_jsonl, write_markdown
from haenyeo.model.errors import UsageError
from haenyeo.model.pages import Url
from haenyeo.model.visits import Outcome, Validators
from haenyeo.store import StoredPage

NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)


def page(url: str = "https://a.example/1", title: str = "Reef", text: str = "One.\nTwo.") -> StoredPage:
    return StoredPage(
        id=1,
        url=Url(url),
        site="a.example",
        depth=2,
        kept=True,
        outcome=Outcome.PAGE,
        reason="",
        status=200,
        visits=1,
        first_at=NOON,
        fetched_at=NOON,
        last_at=NOON,
        changed_at=None,
        content_type="text/html",
        validators=Validators(),
        title=title,
        language="ko",
        digest=b"",
        simhash=0,
        relevance={"reefs": 0.75},
        text=text,
    )


def test_a_line_of_json_has_the_text_and_its_facts() -> None:
    out = io.BytesIO()
    assert write_jsonl([page(title="해녀")], out) == 1
    written = json.loads(out.getvalue())
    assert written["title"] == "해녀"
    assert written["text"] == "One.\nTwo."
    assert written["relevance"] == {"reefs": 0.75}
    assert written["fetched_at"].startswith("2026-01-05T12:00")


def test_a_spreadsheet_never_runs_a_page_as_a_formula() -> None:
    out = io.BytesIO()
    write_csv([page(title="=cmd()", text="@SUM(1)")], out)
    row = next(csv.DictReader(io.StringIO(out.getvalue().decode("utf-8-sig"))))
    assert row["title"] == "'=cmd()"
    assert row["text"] == "'@SUM(1)"


def test_file_names_of_markdown_say_what_is_inside_and_never_leave_the_folder(tmp_path: Path) -> None:
    pages = [
        page("https://a.example/1", "../../etc/passwd"),
        page("https://a.example/2", "해녀 이야기"),
        page("https://a.example/3", ""),
    ]
    assert write_markdown(pages, tmp_path / "out") == 3
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert len(names) == 3
    assert any(name.startswith("해녀-이야기-") for name in names)
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_pages_with_one_title_get_files_of_their_own(tmp_path: Path) -> None:
    write_markdown([page(f"https://a.example/{number}") for number in range(5)], tmp_path)
    assert len(list(tmp_path.iterdir())) == 5


def test_a_failed_export_leaves_the_earlier_one_alone(tmp_path: Path) -> None:
    target = tmp_path / "pages.jsonl"
    export_pages([page()], "jsonl", target)
    before = target.read_bytes()

    def broken() -> StoredPage:
        raise OSError(28, "No space left on device")

    with pytest.raises(UsageError, match="No space left"):
        export_pages((broken() for _ in range(1)), "jsonl", target)
    assert target.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["pages.jsonl"]
