"""What did the papers measure, and does it hold here? One experiment for each paper haenyeo stands on.

An experiment is a function `repeat(data, note)` in a module of this folder: it takes the data to run on (None for the
demo web) and a function that is told how far it is, and returns a `Report`. `PAPERS` knows it by the paper's number;
only the one asked for is imported.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from haenyeo.model.errors import UsageError

if TYPE_CHECKING:
    from haenyeo.papers.report import Report

PAPERS: dict[str, tuple[str, str]] = {
    "000": ("link_context", "Cho et al. 2005: focused crawling by the words around links"),
    "001": ("semantic_priority", "Kang & Kim 2020: paragraphs and the meaning of links"),
    "002": ("layout_change", "Park, Oh & Lee 2002: detecting that a page's layout changed"),
    "003": ("texts", "Kim & Kim 2021: main text by the frequency of text blocks across a site"),
    "004": ("cycles", "Cho, Lee & Choi 2013: when to come back to each page"),
}
"""Number: module with the experiment, and what the paper is."""

Experiment = Callable[[Path | None, Callable[[str], None]], "Report"]


def experiment(number: str) -> Experiment:
    """The experiment of the paper with this number; raises `UsageError` for a number that has none."""
    if number not in PAPERS:
        raise UsageError(f"there is no experiment {number!r}", advice=f"known: {', '.join(sorted(PAPERS))}")
    repeat: Experiment = importlib.import_module(f"{__name__}.{PAPERS[number][0]}").repeat
    return repeat
