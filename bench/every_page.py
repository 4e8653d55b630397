"""Is every page read without an exception? However its pages are given: alone, with others of its site, with strangers.

    python -m bench.every_page PAGES.jsonl.zst ...
    python -m bench.every_page PAGES.jsonl.zst --ways alone shuffled

The data is that of `read.py`; all pages count, lists too. Pages are read to documents with Markdown: one by one, five
and twenty of a site together, all of a site, twenty of any sites as if of one (`shuffled`), and the whole file as if of
one site (`together`). The exit code is 1 if anything was raised; the first page that raises by itself is named.
"""

from __future__ import annotations

import argparse
import random
import sys
import traceback
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from bench.read_examples import address_of, pages_in

from haenyeo.read.extract import extract_site

Given = list[tuple[str, str]]
"""Addresses and HTML of pages that are read together."""

SEED = 1


def in_groups(pages: Sequence[tuple[str, str]], size: int) -> Iterator[Given]:
    """The pages in groups of a size."""
    left = iter(pages)
    while group := list(islice(left, size)):
        yield group


def shuffled(pages: Given) -> Given:
    """The pages in an order made by chance, the same every time."""
    return random.Random(SEED).sample(pages, len(pages))


WAYS: dict[str, Callable[[dict[str, Given]], Iterator[Given]]] = {
    "alone": lambda sites: (group for pages in sites.values() for group in in_groups(pages, 1)),
    "fives": lambda sites: (group for pages in sites.values() for group in in_groups(pages, 5)),
    "twenties": lambda sites: (group for pages in sites.values() for group in in_groups(pages, 20)),
    "sites": lambda sites: iter(sites.values()),
    "shuffled": lambda sites: in_groups(shuffled([page for pages in sites.values() for page in pages]), 20),
    "together": lambda sites: iter([[page for pages in sites.values() for page in pages]]),
}


def failed(group: Given) -> bool:
    """Whether reading these pages together raises anything; if so, what, and which page does it by itself."""
    try:
        documents = extract_site(group)
    except Exception:  # noqa: BLE001 - that none is raised is what is measured
        traceback.print_exc()
        alone = (url for url, html in group if len(group) > 1 and failed([(url, html)]))
        print(f"raised by {next(alone, 'the pages together')}, the first of {len(group)}: {group[0][0]}", flush=True)
        return True
    return len(documents) != len(group)


def main() -> None:
    """Read and report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, nargs="+")
    parser.add_argument("--ways", nargs="+", default=list(WAYS), choices=list(WAYS))
    options = parser.parse_args()
    failures = 0
    for path in options.data:
        sites: dict[str, Given] = defaultdict(list)
        for page in pages_in(path):
            sites[page["site"]].append((address_of(page), page["html"]))
        for way in options.ways:
            results = [failed(group) for group in WAYS[way](sites)]
            failures += sum(results)
            pages = sum(map(len, sites.values()))
            print(f"{path.name} {way}: {pages} pages in {len(results)} calls, {sum(results)} failed", flush=True)
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
