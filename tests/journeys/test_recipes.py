"""The recipes for other tools run as they stand in the docs, on pages that were imported."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from test_import import line_of, made

from haenyeo.collect.collection import Collection

RECIPES = Path(__file__).parents[2] / "docs" / "recipes.md"
Recipe = Callable[[str], Any]
CHUNKS = 6


def recipe_of(tool: str) -> str:
    """The code of a recipe; its first line names the tool."""
    text = RECIPES.read_text(encoding="utf-8")
    found = re.search(rf"^```python\n(# {tool}\n.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert found is not None, tool
    return found[1]


@pytest.fixture
def recipe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Recipe:
    """Runs a recipe where a collection and its chunks are, and returns what it calls its result."""
    (tmp_path / "pages.jsonl").write_text("\n".join(map(line_of, "abcdef")), "utf-8")
    with Collection.open(made(tmp_path / "corals")) as opened:
        opened.import_([tmp_path / "pages.jsonl"])
        opened.export("chunks", tmp_path / "corals.chunks.jsonl")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hub"))

    def run(tool: str) -> Any:
        names: dict[str, Any] = {}
        exec(compile(recipe_of(tool), tool, "exec"), names)
        return names["result"]

    return run


@pytest.mark.slow
def test_duckdb_counts_the_pages_of_sites(recipe: Recipe) -> None:
    assert [row[:2] for row in recipe("duckdb")] == [("a.example", 6)]


@pytest.mark.slow
def test_langchain_has_a_document_for_each_chunk(recipe: Recipe) -> None:
    documents = recipe("langchain")
    assert len({document.id for document in documents}) == CHUNKS
    assert documents[0].metadata["url"].startswith("http://a.example/")
    assert "word7" in documents[0].page_content
