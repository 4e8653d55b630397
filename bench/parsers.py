"""Is a scanner of our own worth having? Its CPU and what it finds beside a walk over an existing parser's tree.

    python -m bench.parsers PAGES.jsonl.zst                  lines of {"url", "html"}; also .gz or plain
    python -m bench.parsers PAGES.jsonl.zst --pages 600 --rounds 7 --json

Milliseconds of CPU a page, the median of the rounds; the ways take turns, so that all meet the same noise.

    scanner     `parse_page` as it is: the scanner, and the tree for the pages that it declines
    tree        `scanned_in_python`: guard, lexbor's tree by selectolax, and a walk over it in Python
    turbohtml   its parser, its list of links and its text, if it is installed: less than a crawl needs

Beside it: the share of pages that the scanner declines, and on how many of the others both ways find the same.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
from collections import Counter
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from statistics import fmean, median

from bench.markup import Page, milliseconds, read_pages, whole

from haenyeo import native
from haenyeo.html.parse import scanned_in_python
from haenyeo.html.quick import scanned
from haenyeo.model.pages import Markup

Way = Callable[[Page], object]


def ways() -> dict[str, Way]:
    """What is compared, the scanner first."""
    found: dict[str, Way] = {"scanner": whole, "tree": lambda page: scanned_in_python(page.body.decode(), page.url)}
    if importlib.util.find_spec("turbohtml"):
        found["turbohtml"] = _turbohtml()
    return found


def _turbohtml() -> Way:
    parse = importlib.import_module("turbohtml").parse

    def read(page: Page) -> None:
        tree = parse(page.body.decode())
        tree.links()
        tree.to_text()

    return read


def token_f(one: str, other: str) -> float:
    """F of the words of two texts; 1 if both have none."""
    words, others = Counter(one.split()), Counter(other.split())
    total = words.total() + others.total()
    return 2 * (words & others).total() / total if total else 1.0


def agreement(pages: list[Page]) -> dict[str, float]:
    """How often the scanner declines; of the rest, how often all or the links are the same, and the texts' mean F."""
    both: list[tuple[Markup, Markup]] = []
    for page in pages:
        quick = scanned(page.body, page.url)
        if quick is not None:
            both.append((quick, scanned_in_python(page.body.decode(), page.url)))
    if not both:
        return {"declined": 1.0}
    return {
        "declined": 1 - len(both) / len(pages),
        "same": fmean(quick == slow for quick, slow in both),
        "same links": fmean({a.url for a in quick.links} == {b.url for b in slow.links} for quick, slow in both),
        "text F": fmean(token_f(quick.text, slow.text) for quick, slow in both),
    }


def measure(pages: list[Page], rounds: int) -> dict[str, dict[str, float]]:
    """The median of each way's rounds, and of its ratio to the scanner in the same round."""
    compared = ways()
    times: dict[str, list[float]] = {name: [] for name in compared}
    for _ in range(rounds):
        for name, way in compared.items():
            times[name].append(milliseconds(way, pages))
    first = times["scanner"]
    return {
        name: {"ms": median(own), "ratio": median(one / other for one, other in zip(own, first, strict=True))}
        for name, own in times.items()
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("path", type=Path, help="a file of saved pages")
    parser.add_argument("--pages", type=int, default=500, help="pages taken from its beginning (default: 500)")
    parser.add_argument("--rounds", type=int, default=5, help="the median counts (default: 5)")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if native.load("scanner") is None:
        parser.exit(1, "there is no compiled scanner to compare with\n")
    pages = list(islice(read_pages(options.path), options.pages))
    figures, same = measure(pages, options.rounds), agreement(pages)
    if options.json:
        print(json.dumps({"pages": len(pages), "cpu": figures, "agreement": same}))
        return
    print(f"{len(pages)} pages, ms of CPU a page")
    for name, row in figures.items():
        print(f"{name:10}{row['ms']:8.3f}{row['ratio']:7.2f} x scanner")
    print(*(f"{name} {value:.4f}" for name, value in same.items()), sep="   ")


if __name__ == "__main__":
    main()
