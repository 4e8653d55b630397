from __future__ import annotations

import pytest

from haenyeo.web.desk import Desk
from haenyeo.web.queries.frontier import BINS, best_links, links_by_score, links_of_topic


def test_the_best_links_come_first(desk: Desk) -> None:
    links = best_links(desk, 10)
    assert [one.score for one in links] == pytest.approx([0.3, 0.2, 0.1, 0.0])
    assert links[0].link.anchor == "a reef"


def test_a_part_of_the_links_begins_where_the_last_ended(desk: Desk) -> None:
    assert best_links(desk, 2, 1) == best_links(desk, 10)[1:3]
    assert best_links(desk, 2, 99) == []


def test_links_are_counted_by_score(desk: Desk) -> None:
    counts = links_by_score(desk)
    assert (len(counts), sum(counts), counts[0]) == (BINS, 4, 1)


def test_only_a_topic_of_the_collection_has_links(desk: Desk) -> None:
    assert links_of_topic(desk, "nothing", 5) is None
    view = links_of_topic(desk, "divers", 5)
    assert view is not None
    assert view.topic == "divers"
