from __future__ import annotations

import math

import pytest

from haenyeo.find.segment_plus import PAGE_WEIGHT, SegmentPlus
from haenyeo.model.pages import Link, Url
from haenyeo.model.parts import LinkedPage

WHALE = ("whale ocean krill calf", "ocean krill whale pods")
TRAIN = ("train rails locomotive", "station for the locomotive", "train station platform")


def page(key: int, text: str, *links: tuple[int, str, str]) -> LinkedPage:
    """A page whose links are given by target, anchor and the words of the next paragraph."""
    made = [
        Link(url=Url(f"http://a.example/{target}"), anchor=anchor, after=behind, paragraph=anchor)
        for target, anchor, behind in links
    ]
    url = Url(f"http://a.example/{key}")
    return LinkedPage(key=key, url=url, text=text, links=made, targets=[target for target, *_ in links], depth=1)


def taught(page_weight: float = PAGE_WEIGHT) -> SegmentPlus:
    scorer = SegmentPlus(words="whale", page_weight=page_weight)
    for key, text in enumerate((*WHALE, *TRAIN)):
        scorer.example(page(key, text), relevant=key < len(WHALE))
    return scorer


def test_what_stands_in_the_next_paragraph_is_said_of_another_link() -> None:
    scores = taught().visit(page(9, "menu", (10, "whale", "train station"), (11, "whale", "ocean krill"))).scores
    assert scores[0] == scores[1]


def test_links_that_led_off_the_topic_are_learnt_too() -> None:
    scorer = taught()
    before = scorer.visit(page(9, "menu", (20, "whale gallery", ""), (21, "whale atlas", ""))).scores
    assert before[0] == before[1]
    scorer.visit(page(20, TRAIN[0]))
    for key in range(30, 40):
        scorer.visit(page(key, TRAIN[1], (key + 100, "gallery", "")))
        scorer.visit(page(key + 100, TRAIN[2]))
    after = scorer.visit(page(50, "menu", (60, "whale gallery", ""), (61, "whale atlas", ""))).scores
    assert after[0] < after[1]


def test_links_of_a_relevant_page_are_worth_more_but_not_all() -> None:
    links = ((70, "whale", ""), (71, "train station", ""))
    good, bad = taught().visit(page(9, WHALE[0], *links)), taught().visit(page(9, TRAIN[0], *links))
    assert good.relevance > bad.relevance
    assert good.scores[0] > bad.scores[0]
    assert good.scores[1] > bad.scores[1]
    assert taught(page_weight=0.0).visit(page(9, WHALE[0], *links)).scores == pytest.approx(
        taught(page_weight=0.0).visit(page(9, TRAIN[0], *links)).scores
    )


def test_evidence_counts_by_the_square_root_of_its_words() -> None:
    scorer = taught(page_weight=0.0)
    odds = scorer.bayes.log_odds(["krill", "ocean"]) / math.sqrt(2)
    [score] = scorer.visit(page(9, "menu", (10, "krill ocean", ""))).scores
    assert score == pytest.approx((1 + odds / (1 + odds)) / 2)
