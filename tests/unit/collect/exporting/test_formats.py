from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest
from pyarrow import parquet

from haenyeo.collect.exporting.dataset_card import DatasetCard
from haenyeo.collect.exporting.formats import (
    COLUMNS,
    Row,
    as_stored,
    record,
    write_csv,
    write_file,
    write_jsonl,
    write_markdown,
    write_parquet,
)
from haenyeo.model.config import Topic
from haenyeo.model.errors import UsageError
from haenyeo.model.pages import Post, Product, Url
from haenyeo.model.visits import Outcome, Validators
from haenyeo.store import StoredPage

NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)


def page(url: str = "https://a.example/1", title: str = "Reef", text: str = "One.\nTwo.") -> Row:
    stored = StoredPage(
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
    return as_stored(stored)


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
    write_file([page()], write_jsonl, target)
    before = target.read_bytes()

    def broken() -> Row:
        raise OSError(28, "No space left on device")

    with pytest.raises(UsageError, match="No space left"):
        write_file((broken() for _ in range(1)), write_jsonl, target)
    assert target.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["pages.jsonl"]


def test_a_parquet_file_has_typed_columns(tmp_path: Path) -> None:
    target = tmp_path / "pages.parquet"
    assert write_file([page(title="해녀"), page("https://a.example/2")], write_parquet, target) == 2
    table = parquet.read_table(target)
    assert table.column("title").to_pylist() == ["해녀", "Reef"]
    assert table.column("relevance").to_pylist()[0] == [("reefs", 0.75)]
    assert table.column("fetched_at").to_pylist()[0] == NOON


def test_an_export_of_no_pages_has_its_columns(tmp_path: Path) -> None:
    assert tuple(record(page())) == COLUMNS
    assert write_file([], write_parquet, tmp_path / "none.parquet") == 0
    assert tuple(parquet.read_table(tmp_path / "none.parquet").column_names) == COLUMNS
    assert write_file([], write_csv, tmp_path / "none.csv") == 0
    assert (tmp_path / "none.csv").read_text(encoding="utf-8-sig").split() == [",".join(COLUMNS)]


def test_markdown_has_the_form_of_the_page(tmp_path: Path) -> None:
    stored, document = page()
    write_markdown([(stored, msgspec.structs.replace(document, markdown="# Reef\n\n- one\n- two"))], tmp_path)
    text = next(tmp_path.iterdir()).read_text(encoding="utf-8")
    assert text.startswith('---\nurl: "https://a.example/1"\n')
    assert text.endswith("---\n\n# Reef\n\n- one\n- two\n")


def test_a_card_says_what_was_exported(tmp_path: Path) -> None:
    stored, document = page()
    rows = [(stored, msgspec.structs.replace(document, published="2025-12-24T10:00:00")), page("https://a.example/2")]
    card = DatasetCard("corals", [Topic(words="coral reefs")])
    assert list(card.counting(rows)) == rows
    card.write(tmp_path / "card.md")
    text = (tmp_path / "card.md").read_text(encoding="utf-8")
    assert 'language: ["ko"]' in text
    assert "2 pages, 18 characters of text, 1 sites." in text
    assert "Fetched: 2026-01-05 to 2026-01-05. Published, as far as pages say: 2025-12-24 to 2025-12-24." in text
    assert "| a.example | 2 |" in text
    assert "license:" in text


@pytest.mark.parametrize("mishap", [KeyboardInterrupt, ValueError, OSError])
def test_an_export_that_is_broken_off_leaves_nothing_behind(tmp_path: Path, mishap: type[BaseException]) -> None:
    target = tmp_path / "out.jsonl"
    target.write_text("the one before", encoding="utf-8")

    def rows() -> Iterator[Row]:
        yield page()
        raise mishap

    with pytest.raises((mishap, UsageError)):
        write_file(rows(), write_jsonl, target)
    assert list(tmp_path.iterdir()) == [target]
    assert target.read_text(encoding="utf-8") == "the one before"


def test_only_the_lines_of_threads_have_posts() -> None:
    stored, document = page()
    posts = (Post(author="anna", published="2025-03-03", text="One."), Post(text="Two."))
    out = io.BytesIO()
    write_jsonl([(stored, msgspec.structs.replace(document, posts=posts)), page()], out)
    thread, other = map(json.loads, out.getvalue().splitlines())
    assert thread["posts"] == [
        {"author": "anna", "published": "2025-03-03", "text": "One."},
        {"author": "", "published": "", "text": "Two."},
    ]
    assert "posts" not in other


def test_only_the_lines_of_shops_have_a_product() -> None:
    stored, document = page()
    out = io.BytesIO()
    write_jsonl([(stored, msgspec.structs.replace(document, product=Product(price="5"))), page()], out)
    shop, other = map(json.loads, out.getvalue().splitlines())
    assert shop["product"] == {"price": "5"}
    assert "product" not in other
