"""What `haenyeo --help` prints, written without loading anything: asking what there is should cost nothing.

The words stand here once; click, which reads all other command lines, takes them from here, and a test holds the two
pages against each other.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping

COMMANDS = {
    "new": "Make a collection: a folder with its topic, seeds and settings.",
    "add": "Add seeds to a collection.",
    "import": "Take in pages that others have collected: WARC, WACZ, JSON lines, saved pages.",
    "crawl": "Find and keep pages.",
    "why": "Why a link was taken, skipped or still waits; why a page was kept.",
    "judge": "Tell the collection whether a page is on its topic.",
    "teach": "Answer about the pages the judge is least sure of, one key each.",
    "refresh": "Revisit what is due.",
    "plan": "Show the coming week of revisits, and what half or twice the budget would do.",
    "run": "The service: crawl, refresh and watch until stopped.",
    "read": "Derive the texts again, with all that their sites have taught.",
    "rebuild": "Make a lost or damaged database anew from the archive.",
    "reshard": "Put the collection into more or fewer shards, or into one piece.",
    "restore": "Make a collection in shards anew from its snapshots.",
    "status": "One screen: pages, sites, queue, errors.",
    "search": "Full text search in the collection.",
    "serve": "The dashboard: look at the collection in a browser.",
    "mcp": "Let agents search and read the collection (Model Context Protocol).",
    "export": "Write the collection as jsonl, csv, markdown, parquet, wacz or chunks.",
    "watch": "Keep pages and result lists under watch, and show how they are.",
    "records": "Take the records of a list page, found without labels or from an example.",
    "changes": "What changed: content, layouts, repaired rules.",
    "diff": "Did the layout change between saved pages?",
    "extract": "Print the main text of saved pages.",
    "paper": "Repeat the experiment of one of the papers haenyeo stands on.",
    "demo": "Show all of it on a small web on this machine, without network.",
}
INTRODUCTION = """Haenyeo collects the part of the web about your topic.

Start with `haenyeo demo`, or:

\b
  haenyeo new corals --topic "coral reefs" --seed https://example.org/reefs
  haenyeo crawl corals --pages 500
  haenyeo export corals --to jsonl
"""
VERSION_SAYS = "Show the version and exit."
OPTIONS = {"--version": VERSION_SAYS, "-h, --help": "Show this message and exit."}
WIDEST, NARROWEST = 100, 50
"""Columns of the page, whatever the terminal has."""


def asked_for(arguments: list[str]) -> bool:
    """Whether the command line asks for this page and for nothing else."""
    return arguments in (["--help"], ["-h"])


def front_page(columns: int) -> str:
    """The page as click writes it on a terminal of so many columns."""
    width = max(min(columns, WIDEST) - 2, NARROWEST)
    return "\n".join(
        [
            "Usage: haenyeo [OPTIONS] COMMAND [ARGS]...",
            "",
            *_introduced(width - 2),
            "",
            "Options:",
            *_listed(OPTIONS, width),
            "",
            "Commands:",
            *_listed(COMMANDS, width),
        ]
    )


def columns_of_terminal() -> int:
    """How wide the terminal is; 80 where there is none."""
    try:
        return int(os.environ.get("COLUMNS", "")) or 80
    except ValueError:
        pass
    try:
        return os.get_terminal_size(sys.__stdout__.fileno()).columns or 80 if sys.__stdout__ else 80
    except (OSError, ValueError):
        return 80


def _introduced(width: int) -> Iterator[str]:
    """The introduction; its commands stay on one line each."""
    for line in INTRODUCTION.replace("\b\n", "").splitlines():
        whole = not line or line.startswith(" ")
        yield from (f"  {part}".rstrip() for part in ([line] if whole else _wrapped(line, width)))


def _listed(entries: Mapping[str, str], width: int) -> Iterator[str]:
    """Names and what they mean in two columns; what does not fit goes on below, in the second."""
    indent = 2 + max(map(len, entries)) + 2
    for name, means in entries.items():
        lines = _wrapped(means, width - indent)
        yield f"  {name}".ljust(indent) + lines[0]
        yield from (" " * indent + line for line in lines[1:])


def _wrapped(text: str, width: int) -> list[str]:
    lines: list[str] = []
    for word in text.split():
        if lines and len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines
