"""How a crawl ended, in plain words."""

from __future__ import annotations

from pathlib import Path

from haenyeo.cli.crawl import ending
from haenyeo.collect.events import CrawlEnded


def test_a_crawl_that_kept_nothing_says_how_to_tell_it_more() -> None:
    ended = CrawlEnded(why="done", visited=3, kept=0, waiting=0, seconds=1.0)
    assert ending(Path("corals"), ended)[1:] == [
        "nothing seems to be about the topic; if a page is, say so: haenyeo judge corals URL yes"
    ]


def test_a_crawl_that_kept_something_needs_no_advice() -> None:
    ended = CrawlEnded(why="done", visited=3, kept=1, gained=1, waiting=0, seconds=1.0)
    assert ending(Path("corals"), ended) == ["3 pages asked for, 1 kept, in 1.0 s: nothing is left to ask"]
