"""The worked examples of Park, Oh & Lee 2002, section 4: what its tables 1 and 2 compute, made with our parts."""

from __future__ import annotations

from collections.abc import Iterable

from haenyeo.papers.report import Cell, Table
from haenyeo.watch.tokens import source_tokens
from haenyeo.watch.vilo import Pattern, find_patterns, paper_tokens
from haenyeo.watch.vilo_printed import printed_patterns

EXAMPLE_1 = "<body>one<br>two<br><img></body>"
EXAMPLE_2 = (
    "<html><head><title>Example</title></head><body>This document is an example of patterns. "
    "<h1>First</h1><br><h1>Second</h1><br><h1>Third</h1><br></body></html>"
)
TIMES = 3
"""K of example 2."""
POSITIONS_1 = {"TEXT": "0, 2", "<BR>": "1, 3", "<IMG>": "4"}
POSITIONS_2 = {"TEXT": "2, 4, 8, 12", "<H1>": "3, 7, 11", "</H1>": "5, 9, 13", "<BR>": "6, 10, 14"}
PATTERN = "<H1>TEXT</H1><BR>"


def examples_table() -> Table:
    """Table 1: at which places tokens stand; table 2: which patterns follow from them."""
    rows: list[list[Cell]] = [
        *_positions("1", EXAMPLE_1, POSITIONS_1, first=-1),  # the paper cuts its first example out of a body
        *_positions("2", EXAMPLE_2, POSITIONS_2, first=1),  # and leaves the tag before the body of its second
        _row("2, by table 2", f"patterns for K = {TIMES}, vilo-printed", PATTERN, _found(EXAMPLE_2, by_table_2=True)),
        _row("2, all longest", f"patterns for K = {TIMES}, vilo", PATTERN, _found(EXAMPLE_2, by_table_2=False)),
    ]
    columns = ["example", "what", "printed", "here", "the same"]
    return Table(title="The paper's tables 1 and 2, pseudocode: its examples 1 and 2", columns=columns, rows=rows)


def _positions(example: str, html: str, printed: dict[str, str], first: int) -> Iterable[list[Cell]]:
    """Where tokens stand, the body's own tag being at the place `first`."""
    tokens = list(enumerate(paper_tokens(source_tokens(html)), first))
    for token, places in printed.items():
        ours = ", ".join(str(place) for place, other in tokens if other == token)
        yield _row(f"{example}, by table 1", f"positions of {token}", places, ours)


def _found(html: str, *, by_table_2: bool) -> str:
    tokens = paper_tokens(source_tokens(html), merge=not by_table_2)
    patterns: frozenset[Pattern] = (printed_patterns if by_table_2 else find_patterns)(tokens, TIMES)
    return ", ".join(sorted(map("".join, patterns)))


def _row(example: str, what: str, printed: str, ours: str) -> list[Cell]:
    return [example, what, printed, ours, "yes" if printed == ours else "no"]
