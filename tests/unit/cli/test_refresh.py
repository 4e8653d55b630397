from __future__ import annotations

from haenyeo.cli.refresh import summary
from haenyeo.collect.events import RefreshEnded


def test_a_summary_tells_the_most_frequent_findings_first() -> None:
    ended = RefreshEnded(
        why="over",
        visited=5,
        changed=1,
        requests=6,
        bytes=1_500_000,
        seconds=2.25,
        found={"changed": 1, "same text": 4},
    )
    assert summary(ended) == "5 pages visited, 6 requests, 1.50 MB, 2.2 s: 4 same text, 1 changed"


def test_a_summary_of_nothing_says_why() -> None:
    ended = RefreshEnded(why="over", visited=0, changed=0, requests=0, bytes=0, seconds=0.0, found={})
    assert summary(ended).endswith("nothing was worth a visit")
