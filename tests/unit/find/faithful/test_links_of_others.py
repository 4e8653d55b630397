"""Links on pages that another topic asked for wait behind a topic's own."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from haenyeo.find.faithful.classic import ClassicFocused
from haenyeo.find.faithful.cosine import CosinePriority
from haenyeo.find.faithful.links_of_others import BEHIND
from haenyeo.find.faithful.paper_scorer import REFUSED, PaperScorer
from haenyeo.find.faithful.segment import SegmentedBacklinks, SegmentedContext
from haenyeo.find.faithful.semantic import SemanticPriority
from haenyeo.find.segment_plus import SegmentPlus
from haenyeo.find.semantic_plus import SemanticPlus
from haenyeo.model.pages import Link, Url
from haenyeo.model.parts import LinkedPage

RATING_LINKS: list[Callable[..., PaperScorer]] = [
    CosinePriority, SemanticPriority, SemanticPlus, SegmentedContext, SegmentedBacklinks, SegmentPlus
]  # fmt: skip
WHALE = "The whale is an ocean animal. A whale eats krill, a calf drinks milk."
TRAIN = "The train runs on rails. A locomotive pulls the train to the station."


def page(key: int, text: str, *links: tuple[int, str]) -> LinkedPage:
    made = [Link(url=Url(f"http://a.example/{target}"), anchor=said, paragraph=said) for target, said in links]
    url = Url(f"http://a.example/{key}")
    return LinkedPage(key=key, url=url, text=text, links=made, targets=[target for target, _ in links], depth=1)


def taught(make: Callable[..., PaperScorer]) -> PaperScorer:
    scorer = make(words="whale ocean")
    for key, text in ((1, WHALE), (2, "ocean krill and whale pods"), (3, TRAIN), (4, "a station for the locomotive")):
        scorer.example(page(key, text), relevant=key < 3)
    return scorer


@pytest.mark.parametrize("make", RATING_LINKS)
def test_a_link_of_another_topics_page_waits_behind_all_own_ones(make: Callable[..., PaperScorer]) -> None:
    scorer = taught(make)
    clear, vague = "whale of the ocean", "whale station train locomotive rails pulls runs"
    (of_other,) = scorer.glance(page(8, TRAIN, (10, clear))).scores
    (own,) = scorer.visit(page(9, WHALE, (11, vague))).scores
    assert of_other > 0
    assert own == REFUSED or of_other < own


@pytest.mark.parametrize("make", RATING_LINKS)
def test_a_page_that_another_has_fetched_counts_in_full_once_a_link_leads_there(
    make: Callable[..., PaperScorer],
) -> None:
    scorer = taught(make)
    scorer.glance(page(8, WHALE, (10, "whale of the ocean")))
    scorer.glance(page(10, WHALE))
    (own,) = scorer.visit(page(9, WHALE, (10, "whale of the ocean"))).scores
    assert scorer.revise() == ([10], [own]), "it waits behind all others no longer"
    scorer.glance(page(10, WHALE))
    assert scorer.revise() == ([10], [own]), "it may have been another's to ask for until now"


@pytest.mark.parametrize("make", RATING_LINKS)
def test_it_counts_in_full_once_the_topic_finds_a_link_there_itself(make: Callable[..., PaperScorer]) -> None:
    scorer = taught(make)
    scorer.glance(page(8, WHALE, (10, "whale of the ocean")))
    (own,) = scorer.visit(page(9, WHALE, (10, "whale of the ocean"))).scores
    assert scorer.revise() == ([10], [own])
    scorer.glance(page(12, WHALE, (10, "whale of the ocean")))
    assert scorer.revise() == ([], [])


@pytest.mark.parametrize("make", RATING_LINKS)
def test_it_is_no_better_however_long_it_waits(make: Callable[..., PaperScorer]) -> None:
    scorer = taught(make)
    (behind,) = scorer.glance(page(8, WHALE, (10, "whale of the ocean"))).scores
    for key in range(100, 200):
        scorer.visit(page(key, TRAIN, (key + 100, "locomotive")))
    assert behind <= BEHIND
    assert 10 not in scorer.revise()[0]


def test_why_tells_where_such_a_link_stands() -> None:
    scorer = taught(SegmentedContext)
    seen = page(8, WHALE, (10, "whale of the ocean"))
    scorer.glance(seen)
    first, *_ = scorer.why_link(10, seen.links)
    assert first.what == "best link to it, on another topic's page"
    assert first.weight > 0.5


def test_they_wait_as_before_after_a_restart() -> None:
    scorer, again = taught(SegmentedBacklinks), SegmentedBacklinks(words="whale ocean")
    (worth,) = scorer.glance(page(8, WHALE, (10, "whale of the ocean"))).scores
    again.restore(scorer.dump())
    assert dict(zip(*again.revise(), strict=True)) == {10: pytest.approx(worth)}


@pytest.mark.parametrize("make", [*RATING_LINKS, ClassicFocused])
def test_nothing_is_learnt_from_pages_of_others(make: Callable[..., PaperScorer]) -> None:
    seen, strange = page(9, WHALE, (10, "whale pods"), (11, "zebra")), "zebra crossing in the town, a whale of a time"
    alone, beside = make(words="whale ocean"), make(words="whale ocean")
    for scorer in (alone, beside):
        for key in range(20, 25):
            scorer.visit(page(key, f"{TRAIN} {key}", (key + 30, "station")))
    for key in range(60, 80):
        beside.glance(page(key, f"{strange} {key}", (key + 100, f"zebra {key}"), (key + 200, "town crossing")))
    assert beside.visit(seen) == alone.visit(seen)
