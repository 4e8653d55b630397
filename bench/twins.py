"""Does the better version of a paper's method find more than the method as printed? Recall after R fetches.

    python -m bench.twins FOLDER [--strategy S ...] [--only REGEX] [--likes N] [--unlikes N] [--json]

FOLDER has saved pages and topics, as for `bench.topics`; each topic is crawled alone with each strategy. R is the
number of its pages that were not given to the crawl; pages that were given count neither as fetches nor as found.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path
from statistics import fmean

from bench.topics import SavedWeb, fetched, served, topic_of

from haenyeo.html.urls import canonical
from haenyeo.papers.frozen_web import FrozenTopic

TWINS = ("spfc", "spfc-plus", "segment", "segment-backlinks", "segment-plus")


def given_pages(frozen: FrozenTopic) -> set[str]:
    """The addresses that a topic may be given."""
    known = (canonical(url) for url in (*frozen.seed_urls, *frozen.example_urls, *frozen.background_urls))
    return {url for url in known if url}


def recall_after_r(web: SavedWeb, proxy: str, name: str, strategy: str, options: argparse.Namespace) -> float:
    """The share of a topic's R pages among the first R that a crawl asks for."""
    frozen = web.topics[name]
    given = given_pages(frozen)
    relevant = {canonical(url) for url in frozen.relevant_urls} - given
    topic = topic_of(frozen, options.likes, options.unlikes)
    fetched(web, proxy, {name: topic}, len(relevant) + len(given), strategy)
    asked = [url for url in web.asked if url not in given][: len(relevant)]
    return len(relevant.intersection(asked)) / max(1, len(relevant))


def options_given() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--strategy", action="append", help=f"repeat to compare (default: {', '.join(TWINS)})")
    parser.add_argument("--only", default="", metavar="REGEX", help="topics whose name matches")
    parser.add_argument("--likes", type=int, default=5)
    parser.add_argument("--unlikes", type=int, default=40)
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


def main() -> int:
    """Crawl each topic with each strategy and print what was found."""
    options = options_given()
    web = SavedWeb(options.folder)
    names = [name for name in web.topics if re.search(options.only, name)]
    found: dict[str, dict[str, float]] = {}
    with served(web) as proxy:
        for strategy in options.strategy or TWINS:
            found[strategy] = {name: recall_after_r(web, proxy, name, strategy, options) for name in names}
            if not options.json:
                print(f"{strategy:18} {fmean(found[strategy].values()):.3f}  " + told(found[strategy]), flush=True)
    if options.json:
        print(json.dumps(found, indent=1, ensure_ascii=False))
    return 0


def told(row: dict[str, float]) -> str:
    """The recall of each topic, in one line."""
    return " ".join(f"{name} {value:.2f}" for name, value in row.items())


if __name__ == "__main__":
    sys.exit(main())
