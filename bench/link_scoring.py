"""How long does the default strategy take to score a link? Microseconds of CPU time a link, over the demo web.

    python bench/link_scoring.py [PAGES]

A page is tokenised and judged, its links are described, scored, remembered and now and then scored anew: all that a
topic costs beside a breadth-first crawl, divided by the number of links.
"""

from __future__ import annotations

import sys
import time

from haenyeo.cli.papers.frozen_web import frozen_web
from haenyeo.find.learned.strategy import Learned


def main(pages: int) -> None:
    """Crawl and print."""
    web = frozen_web(None)
    topic = next(iter(web.topics.values()))
    fetched = web.crawl(None, topic, pages)
    scorer = Learned(words=topic.keywords)
    began = time.process_time()
    for page in fetched:
        scorer.visit(page)
        scorer.revise()
    spent = time.process_time() - began
    links = sum(len(page.links) for page in fetched)
    print(f"{len(fetched)} pages, {links} links")
    print(f"{spent / links * 1e6:.1f} µs a link, {spent / len(fetched) * 1e3:.2f} ms a page")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 500)
