"""The notebook of the docs runs from its first cell to its last, where an event loop runs as in a notebook."""

from __future__ import annotations

import ast
import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from haenyeo.collect.collection import Collection

pytestmark = pytest.mark.slow
NOTEBOOK = Path(__file__).parents[2] / "docs" / "notebooks" / "collection.ipynb"


def shown(source: str, names: dict[str, Any]) -> Any:
    """Run a cell; what its last line is worth."""
    tree = ast.parse(source)
    end = tree.body[-1]
    last = end if isinstance(end, ast.Expr) else None
    if last is not None:
        tree.body.pop()
    exec(compile(tree, str(NOTEBOOK), "exec"), names)
    return eval(compile(ast.Expression(last.value), str(NOTEBOOK), "eval"), names) if last is not None else None


def test_every_cell_runs() -> None:
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    sources = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]

    async def run() -> list[Any]:
        names: dict[str, Any] = {}
        found = []
        for source in sources:
            value = shown(source, names)
            found.append(value._repr_html_() if isinstance(value, Collection) else value)
        return found

    values = asyncio.run(run())
    assert len(values) == len(sources) > 8
    assert values[2] > 10
    assert "<svg" in values[3]
    assert values[5][0] == "kept"
    assert values[7] > values[6] > 3
