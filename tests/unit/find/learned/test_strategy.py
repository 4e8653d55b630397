from __future__ import annotations

import pytest

from haenyeo.find.learned.strategy import Learned
from haenyeo.model.errors import StoreError
from haenyeo.model.pages import Link, Url
from haenyeo.model.parts import LinkedPage

SEA, TOWN = "whale ocean krill reef", "train station rails fare"


def page(key: int, text: str, *links: tuple[int, str]) -> LinkedPage:
    made = tuple(Link(url=Url(f"https://b.example/{target}"), anchor=anchor, before=text) for target, anchor in links)
    targets = tuple(target for target, _ in links)
    return LinkedPage(key=key, url=Url(f"https://a.example/{key}"), text=text, links=made, targets=targets)


def taught() -> Learned:
    scorer = Learned(words="whale")
    scorer.example(page(1, SEA), relevant=True)
    scorer.example(page(2, TOWN), relevant=False)
    return scorer


def test_the_links_of_a_page_that_is_not_liked_are_worth_nothing() -> None:
    scorer = taught()
    assert list(scorer.example(page(3, TOWN, (50, "whale")), relevant=False)) == [0.0]
    assert list(scorer.example(page(4, SEA, (51, "whale")), relevant=True)) != [0.0]


def test_nothing_is_revised_twice_in_a_row() -> None:
    scorer = taught()
    scorer.visit(page(5, SEA, (60, "whale"), (61, "train")))
    keys, scores = scorer.revise()
    assert set(keys) == {60, 61}
    assert len(scores) == 2
    assert scorer.revise() == ((), ())


def test_after_a_restart_everything_that_waits_is_scored_once() -> None:
    scorer, again = taught(), Learned(words="whale")
    scorer.visit(page(5, SEA, (60, "whale"), (61, "train")))
    again.restore(scorer.dump())
    keys, _ = again.revise()
    assert set(keys) == {60, 61}
    assert again.revise() == ((), ())


def test_the_relevance_of_fetched_pages_is_remembered_over_a_restart() -> None:
    scorer, again = taught(), Learned(words="whale")
    relevance = scorer.visit(page(5, SEA)).relevance
    again.restore(scorer.dump())
    assert again.relevance(5) == pytest.approx(relevance, abs=0.1)
    assert again.relevance(1) == 1.0
    assert again.relevance(2) == 0.0
    assert again.relevance(999) is None


def test_bytes_of_something_else_are_refused() -> None:
    with pytest.raises(StoreError):
        taught().restore(b"\x80")


def _strange(key: int) -> LinkedPage:
    words = " ".join(f"zebra{(key * 7 + place) % 90} whale{place % 3}" for place in range(40))
    return page(key, f"{words} fare", (key + 900, "crossing"))


def _after_visits(scorer: Learned) -> dict[int, float]:
    found: dict[int, float] = {}
    for key in range(20, 60):
        text = f"{SEA if key % 3 else TOWN} word{key % 11} word{key % 7}"
        scorer.visit(page(key, text, (key + 100, "whale reef" if key % 2 else "rails"), (key + 1, "station")))
        found.update(zip(*scorer.revise(), strict=True))
    return found


def test_pages_that_other_topics_asked_for_do_not_change_where_to_go() -> None:
    alone, beside = taught(), taught()
    for key in range(300, 360):
        beside.glance(_strange(key))
    expected = _after_visits(alone)
    assert len(expected) > 30
    assert _after_visits(beside) == expected


def test_they_count_for_what_is_kept() -> None:
    alone, beside = taught(), taught()
    for scorer in (alone, beside):
        _after_visits(scorer)
    for key in range(300, 360):
        beside.glance(_strange(key))
    for scorer in (alone, beside):
        scorer.settle()
    assert beside.relevance(300) is not None
    assert beside.relevance(25) != alone.relevance(25), "what is usual was found among all pages"
    assert beside.cut == beside.judge.cut


def test_both_are_known_after_a_restart() -> None:
    beside, again = taught(), Learned(words="whale")
    for key in range(300, 320):
        beside.glance(_strange(key))
    _after_visits(beside)
    again.restore(beside.dump())
    assert set(again.judge.keys()) == set(beside.judge.keys())
    assert set(again.learner.judge.keys()) == set(beside.learner.judge.keys())
    assert again.learner.judge.probability(300) is None
    beside.settle()
    assert again.relevance(300) == pytest.approx(beside.relevance(300))
    again.glance(_strange(700))
    assert again.learner.judge.probability(700) is None
