"""What reading a page costs: guard, parser and the whole pass beside a bare lexbor, in the same run.

    python bench/markup.py PAGES.jsonl.zst                 lines of {"url", "html"}; also .gz or plain
    python bench/markup.py PAGES.jsonl.zst --pages 500 --rounds 5 --json

Milliseconds of CPU a page, the best of the rounds; the runners take turns, so that all meet the same noise.

    bare      lexbor's parser, `css("a[href]")` with the hrefs, and `body.text()`
    guard     `guarded`
    parser    lexbor's parser alone
    pass      `parse_page`: decoding, guard, parser, blocks, links, head
    cold      `parse_page` of each page for the first time, nothing remembered from other rounds
    links     `all_surroundings` of every link, for a whole page
"""

from __future__ import annotations

import argparse
import gzip
import json
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import zstandard
from selectolax.lexbor import LexborHTMLParser

from haenyeo.html.guard import guarded
from haenyeo.html.parse import parse_page
from haenyeo.html.surroundings import all_surroundings
from haenyeo.model.pages import Url


class Page(NamedTuple):
    """A saved page."""

    url: Url
    html: str
    body: bytes


def read_pages(path: Path) -> Iterator[Page]:
    """The pages of a file, in its order."""
    openers: dict[str, Callable[..., object]] = {".zst": zstandard.open, ".gz": gzip.open}
    with openers.get(path.suffix, open)(path, "rt", encoding="utf-8") as file:
        for line in file:
            page = json.loads(line)
            yield Page(Url(page["url"]), page["html"], page["html"].encode())


def bare(page: Page) -> None:
    """The least a crawler in Python does with a page."""
    tree = LexborHTMLParser(page.body.decode("utf-8", "replace"))
    _ = [link.attributes["href"] for link in tree.css("a[href]")]
    if tree.body:
        tree.body.text()


def whole(page: Page) -> None:
    """The whole pass."""
    parse_page(page.body, page.url, "text/html; charset=utf-8")


def milliseconds(runner: Callable[[Page], object], pages: list[Page]) -> float:
    """CPU of one round, for one page."""
    start = time.process_time()
    for page in pages:
        runner(page)
    return 1000 * (time.process_time() - start) / len(pages)


def measure(pages: list[Page], rounds: int) -> dict[str, float]:
    """The best round of each runner."""
    cold = milliseconds(whole, pages)
    markups = {page.url: parse_page(page.body, page.url) for page in pages}
    runners: dict[str, Callable[[Page], object]] = {
        "bare": bare,
        "guard": lambda page: guarded(page.html),
        "parser": lambda page: LexborHTMLParser(page.html),
        "pass": whole,
        "links": lambda page: all_surroundings(markups[page.url]),
    }
    best = dict.fromkeys(runners, float("inf"))
    for _ in range(rounds):
        for name, runner in runners.items():
            best[name] = min(best[name], milliseconds(runner, pages))
    return {**best, "cold": cold}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("path", type=Path, help="a file of saved pages")
    parser.add_argument("--pages", type=int, default=500, help="pages taken from its beginning (default: 500)")
    parser.add_argument("--rounds", type=int, default=5, help="the best counts (default: 5)")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    pages = list(islice(read_pages(options.path), options.pages))
    figures = measure(pages, options.rounds)
    if options.json:
        print(json.dumps({"pages": len(pages), "ms": figures, "pass/bare": figures["pass"] / figures["bare"]}))
        return
    print(
        f"{len(pages)} pages, {sum(len(page.body) for page in pages) / len(pages) / 1000:.1f} kB each, ms of CPU a page"
    )
    for name, value in figures.items():
        print(f"{name:8}{value:8.3f}{value / figures['bare']:8.2f} x bare")


if __name__ == "__main__":
    main()
