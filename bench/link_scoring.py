"""How long does the default strategy take to score a link? Microseconds of CPU time a link, over the demo web.

    python -m bench.link_scoring [PAGES]          exit status 1 above 50 µs a link

First the scorer alone: a page is tokenised and judged, its links become features, are scored, remembered and now and
then scored anew. The best of three rounds counts, since other work of the machine can only add.

Then whole crawls, `haenyeo crawl --strategy default` and breadth first in turn over the demo web: what the one takes
beyond the other is all that a topic costs, describing links, ordering the queue and storing what was learnt included.
The median of three rounds counts; it takes five minutes, since sites of the demo web ask for patience. Links are those
that stand on the pages, however many lead to one page.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as in a crawl: a second thread only waits, and counts as work

from bench.engine import run_haenyeo, served

from haenyeo.find.learned.strategy import Learned
from haenyeo.model.parts import LinkedPage
from haenyeo.papers.frozen_web import frozen_web

MOST = 50.0  # µs a link
ROUNDS = 3


def seconds(words: str, pages: Sequence[LinkedPage]) -> float:
    """CPU time a new scorer takes for these pages."""
    scorer = Learned(words=words)
    began = time.process_time()
    for page in pages:
        scorer.visit(page)
        scorer.revise()
    return time.process_time() - began


def seconds_a_page(start: str, strategy: str) -> float:
    """CPU time a crawl of the demo web takes for each page."""
    with tempfile.TemporaryDirectory() as folder:
        figures = run_haenyeo(start, Path(folder), strategy)
    return figures["cpu s"] / figures["pages"]


def seconds_in_a_crawl() -> float:
    """CPU time the default strategy takes for a page beyond what breadth first takes."""
    server, start = served()
    try:
        return median(seconds_a_page(start, "default") - seconds_a_page(start, "bfs") for _ in range(ROUNDS))
    finally:
        server.terminate()


def report(what: str, page: float, links: float) -> float:
    """Print what a page and each of its links take; the microseconds of a link."""
    link = page / links * 1e6
    print(f"{what}: {link:.1f} µs a link (at most {MOST:.0f}), {page * 1e3:.2f} ms a page")
    return link


def main(pages: int) -> int:
    """Score, crawl and print."""
    web = frozen_web(None)
    topic = next(iter(web.topics.values()))
    fetched = web.crawl(None, topic, pages)
    links = sum(len(page.links) for page in fetched) / len(fetched)
    print(f"{len(fetched)} pages with {links:.1f} links each, {ROUNDS} rounds")
    spent = min(seconds(topic.keywords, fetched) for _ in range(ROUNDS))
    alone = report("scorer alone", spent / len(fetched), links)
    crawling = report("in a crawl", seconds_in_a_crawl(), links)
    return int(max(alone, crawling) > MOST)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000))
