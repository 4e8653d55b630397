"""Tables of a page as Markdown, cells that span rows or columns included."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from haenyeo.read.markdown.inline import ShownPage, flat_text

MOST_SPANNED = 100
"""Rows or columns that a cell may span; more is taken for a mistake."""

_BLOCKS = frozenset({"pre", "table", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6"})
_LONGEST = 1_500  # characters of a cell; longer ones are a page's layout


def is_data(table: Any, page: ShownPage) -> bool:
    """Whether this is a table of data, and no frame for the layout of a page or for code."""
    cells = [cell for row in _rows(table) for cell in _cells(row)]
    if any(cell.css_first(", ".join(sorted(_BLOCKS))) is not None for cell in cells):
        return False
    texts = [len(flat_text(cell, page)) for cell in cells]
    return bool(texts) and max(texts) <= _LONGEST and sum(size > 0 for size in texts) > 1


def table_of(table: Any, page: ShownPage) -> Iterator[str]:
    """The caption and the table, its first row as the head, for Markdown knows no other."""
    for child in table.iter():
        if child.tag == "caption" and (text := flat_text(child, page)):
            yield text
    grid = [row for row in _grid(table, page) if any(row)]
    width = max(map(len, grid), default=0)
    if width:
        lines = ["| " + " | ".join([*row, *[""] * (width - len(row))]) + " |" for row in grid]
        lines.insert(1, "|" + " --- |" * width)
        yield "\n".join(lines)


def _grid(table: Any, page: ShownPage) -> list[list[str]]:
    """The texts of the cells by row and column; of a cell that spans several only the first has the text."""
    taken: dict[tuple[int, int], str] = {}
    rows = list(_rows(table))
    for number, row in enumerate(rows):
        column = 0
        for cell in _cells(row):
            while (number, column) in taken:
                column += 1
            for down in range(min(_span(cell, "rowspan"), len(rows) - number)):
                for right in range(_span(cell, "colspan")):
                    taken[number + down, column + right] = ""
            taken[number, column] = flat_text(cell, page).replace("|", "\\|")
    widths = [max((column + 1 for row, column in taken if row == number), default=0) for number in range(len(rows))]
    return [[taken.get((number, column), "") for column in range(width)] for number, width in enumerate(widths)]


def _rows(table: Any) -> Iterator[Any]:
    for child in table.iter():
        if child.tag == "tr":
            yield child
        elif child.tag in {"thead", "tbody", "tfoot"}:
            yield from (row for row in child.iter() if row.tag == "tr")


def _cells(row: Any) -> list[Any]:
    return [cell for cell in row.iter() if cell.tag in {"td", "th"}]


def _span(cell: Any, name: str) -> int:
    said = cell.attributes.get(name) or "1"
    return max(1, min(int(said), MOST_SPANNED)) if said.isascii() and said.isdigit() and len(said) < 9 else 1  # noqa: PLR2004
