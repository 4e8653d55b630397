"""Pages in chunks: of a size in characters or tokens, as lines or as a table."""

from __future__ import annotations

import io
from datetime import UTC, datetime

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from haenyeo.collect.exporting.chunk_files import write_lines, write_rows
from haenyeo.collect.exporting.chunk_sizes import ChunkSize, estimated_tokens
from haenyeo.collect.exporting.chunks import Chunk, ChunkChange, chunks_of
from haenyeo.model.pages import Document, Url
from haenyeo.model.visits import Outcome, Validators
from haenyeo.store import StoredPage

URL = Url("https://a.example/reef")
WORDS = "A reef is a ridge of rock. 해녀는 바다에서 전복을 땁니다. "
NOW = datetime(2024, 3, 5, tzinfo=UTC)
PAGE = StoredPage(
    id=1,
    url=URL,
    site="a.example",
    depth=0,
    kept=True,
    outcome=Outcome.PAGE,
    reason="",
    status=200,
    visits=1,
    first_at=NOW,
    last_at=NOW,
    fetched_at=NOW,
    changed_at=NOW,
    content_type="text/html",
    validators=Validators(),
    title="Reef",
    language="en",
    digest=b"",
    simhash=0,
    relevance={"reef": 0.5},
    text="",
)


def cut(markdown: str, size: ChunkSize) -> list[Chunk]:
    return chunks_of(PAGE, Document(url=URL, markdown=markdown, author="A. Diver", published="2024-03-05"), size)


@pytest.mark.parametrize("size", [ChunkSize(200), ChunkSize(100, "tokens")])
def test_no_chunk_is_longer_than_the_size(size: ChunkSize) -> None:
    found = cut("# Reef\n\n" + WORDS * 40 + "\n\n## Kelp\n\n" + WORDS * 3, size)
    measure = len if size.unit == "characters" else estimated_tokens
    lengths = [measure(chunk.text) for chunk in found]
    assert max(lengths) <= size.most
    assert sorted(lengths)[len(lengths) // 2] > size.most / 2
    assert found[-1].headings == ("Reef", "Kelp")
    assert (found[0].author, found[0].published) == ("A. Diver", "2024-03-05")


@given(st.text(alphabet="ab 가나.\n#", max_size=400), st.integers(1, 40))
def test_chunks_hold_all_that_the_page_says(markdown: str, most: int) -> None:
    found = cut(markdown, ChunkSize(most, "tokens"))
    assert "".join("".join(chunk.text for chunk in found).split()) == "".join(markdown.split())
    assert all(chunk.tokens == estimated_tokens(chunk.text) for chunk in found)


def test_lines_and_rows_say_the_same() -> None:
    chunks = cut("# Reef\n\n" + WORDS * 9, ChunkSize(200))
    lines, rows = io.BytesIO(), io.BytesIO()
    assert write_lines(chunks, lines) == write_rows(chunks, rows) == len(chunks) > 1
    told = [msgspec.json.decode(line, type=Chunk) for line in lines.getvalue().splitlines()]
    table = parquet.read_table(rows).to_pylist()
    assert [row.pop("op") for row in table] == ["add"] * len(chunks)
    shown = [{**row, "relevance": dict(row["relevance"]), "headings": tuple(row["headings"])} for row in table]
    assert [msgspec.convert(row, Chunk) for row in shown] == told == chunks


def test_changes_are_rows_too() -> None:
    (chunk,) = cut(WORDS, ChunkSize())
    rows = io.BytesIO()
    changes = [ChunkChange(op="remove", id="x", url=URL), ChunkChange(op="add", id=chunk.id, url=URL, chunk=chunk)]
    assert write_rows(changes, rows) == 2
    found = [(row["op"], row["id"], row["text"]) for row in parquet.read_table(rows).to_pylist()]
    assert found == [("remove", "x", None), ("add", chunk.id, chunk.text)]
