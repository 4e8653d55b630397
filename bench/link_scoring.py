"""How long does the default strategy take to score a link? Microseconds of CPU time a link, over the demo web.

    python bench/link_scoring.py [PAGES]          exit status 1 above 50 µs a link

A page is tokenised and judged, its links become features, are scored, remembered and now and then scored anew: all that
a topic's scorer costs beside a breadth-first crawl, divided by the number of links. The best of three rounds counts,
since other work of the machine can only add.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence

from haenyeo.cli.papers.frozen_web import frozen_web
from haenyeo.find.learned.strategy import Learned
from haenyeo.model.parts import LinkedPage

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


def main(pages: int) -> int:
    """Crawl, score and print."""
    web = frozen_web(None)
    topic = next(iter(web.topics.values()))
    fetched = web.crawl(None, topic, pages)
    spent = min(seconds(topic.keywords, fetched) for _ in range(ROUNDS))
    links = sum(len(page.links) for page in fetched)
    print(f"{len(fetched)} pages, {links} links, best of {ROUNDS} rounds")
    print(f"{spent / links * 1e6:.1f} µs a link (at most {MOST:.0f}), {spent / len(fetched) * 1e3:.2f} ms a page")
    return int(spent / links * 1e6 > MOST)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000))
