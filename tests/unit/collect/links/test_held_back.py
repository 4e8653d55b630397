from __future__ import annotations

import numpy as np

from haenyeo.collect.links.held_back import HeldBack
from haenyeo.find.topic_frontiers import TopicFrontiers


def _as_it_was(topic: int, ref: int, score: float) -> float:
    del topic, ref
    return score


def test_a_link_that_is_held_back_cannot_be_taken_by_a_topic_that_comes_to_want_it() -> None:
    frontier = TopicFrontiers((1.0, 1.0))
    held = HeldBack(frontier)
    held.push((["a.test"], range(1), [[0.5], [0.5]]))
    held.holding = True
    held.push((["b.test"], range(5, 6), [[0.4], [-1.0]]))
    held.join(1, "b.test", 5, 0.9)
    rescore = [lambda ref, score, topic=topic: _as_it_was(topic, ref, score) for topic in range(2)]
    first = frontier.pop(1.0, rescore)
    assert first is not None
    assert first.site == "a.test"
    frontier.begin(first.topic)
    other = frontier.pop(1.0, rescore)
    assert other is None or other.shared
    assert held.let_go()
    taken = [frontier.pop(2.0, rescore), frontier.pop(2.0, rescore)]
    assert {(link.ref, link.topic) for link in taken if link and not link.shared} == {(5, 1)}
    assert not held.let_go()


def test_what_is_learnt_of_links_that_are_held_back_counts_when_they_are_let_go() -> None:
    frontier = TopicFrontiers((1.0,))
    held = HeldBack(frontier)
    held.holding = True
    held.push((["a.test"] * 2, range(2), [[0.5, 0.4]]))
    held.rescore(0, lambda refs, before: np.where(refs == 1, 0.9, before))
    held.let_go()
    first = frontier.pop(1.0, [lambda _, score: score])
    assert first is not None
    assert first.ref == 1


def test_what_is_learnt_of_links_that_a_topic_came_to_want_in_the_meantime_counts_too() -> None:
    frontier = TopicFrontiers((1.0, 1.0))
    held = HeldBack(frontier)
    held.holding = True
    held.push((["a.test"] * 2, range(2), [[-1.0, -1.0], [0.5, 0.4]]))
    held.join(0, "a.test", 0, 0.3)
    held.join(0, "a.test", 1, 0.2)
    held.rescore(0, lambda refs, before: np.where(refs == 1, 0.9, before))
    held.let_go()
    first = frontier.pop(1.0, [lambda _, score: score] * 2)
    assert first is not None
    assert (first.ref, first.topic) == (1, 0)
