"""Every method of the papers on the same few pages, and what is its own."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from haenyeo.find.faithful.classic import ClassicFocused
from haenyeo.find.faithful.cosine import CosinePriority
from haenyeo.find.faithful.naive_bayes import NaiveBayes
from haenyeo.find.faithful.paper_scorer import REFUSED, PaperScorer
from haenyeo.find.faithful.segment import SegmentedBacklinks, SegmentedContext
from haenyeo.find.faithful.semantic import SemanticPriority
from haenyeo.find.segment_plus import SegmentPlus
from haenyeo.find.semantic_plus import SemanticPlus
from haenyeo.model.pages import Link, Url
from haenyeo.model.parts import LinkedPage

ALL: list[Callable[..., PaperScorer]] = [
    ClassicFocused, CosinePriority, SemanticPriority, SemanticPlus, SegmentedContext, SegmentedBacklinks, SegmentPlus
]  # fmt: skip
WHALE = "The whale is an ocean animal. A whale eats krill, a calf drinks milk."
TRAIN = "The train runs on rails. A locomotive pulls the train to the station."


def page(key: int, text: str, *links: tuple[int, str, str], depth: int = 1) -> LinkedPage:
    made = [
        Link(url=Url(f"http://a.example/{target}"), anchor=anchor, before=around, paragraph=f"{around} {anchor}")
        for target, anchor, around in links
    ]
    url = Url(f"http://a.example/{key}")
    return LinkedPage(key=key, url=url, text=text, links=made, targets=[target for target, *_ in links], depth=depth)


def taught(make: Callable[..., PaperScorer]) -> PaperScorer:
    scorer = make(words="whale ocean")
    for key, text in ((1, WHALE), (2, "ocean krill and whale pods"), (3, TRAIN), (4, "a station for the locomotive")):
        scorer.example(page(key, text), relevant=key < 3)
    return scorer


@pytest.mark.parametrize("make", ALL)
def test_a_link_on_the_topic_is_worth_more_than_another(make: Callable[..., PaperScorer]) -> None:
    judged = taught(make).visit(page(9, WHALE, (10, "whale", "krill of the ocean"), (11, "train", "rails and station")))
    assert judged.relevance > 0.5
    if make is not ClassicFocused:
        assert judged.scores[0] > judged.scores[1]
    assert all(score == REFUSED or 0 <= score <= 1 for score in judged.scores)


@pytest.mark.parametrize("make", ALL)
def test_a_restored_scorer_rates_as_the_dumped_one(make: Callable[..., PaperScorer]) -> None:
    scorer, again = taught(make), make(words="whale ocean")
    again.restore(scorer.dump())
    seen = page(9, WHALE, (10, "whale", "krill of the ocean"), (11, "train", "rails and station"))
    assert again.visit(seen).scores == pytest.approx(scorer.visit(seen).scores)


@pytest.mark.parametrize("make", [CosinePriority, SemanticPriority])
def test_the_best_link_to_a_page_counts(make: Callable[..., PaperScorer]) -> None:
    scorer = taught(make)
    scorer.visit(page(8, TRAIN, (10, "animal", "a station of the train")))
    assert scorer.revise() == ([], [])
    better = scorer.visit(page(9, WHALE, (10, "whale", "the whale of the ocean"))).scores[0]
    assert scorer.revise() == ([10], [better])


def test_the_classic_crawler_follows_all_links_of_relevant_pages_and_none_of_others() -> None:
    scorer = taught(ClassicFocused)
    assert REFUSED not in scorer.visit(page(9, WHALE, (10, "train", "rails"))).scores
    assert scorer.visit(page(8, TRAIN, (11, "whale", "ocean"))).scores == [REFUSED]


def test_links_without_words_are_left_by_the_paragraph_methods() -> None:
    for make in (CosinePriority, SemanticPriority):
        assert taught(make).visit(page(9, WHALE, (10, "", "whale"))).scores == [REFUSED]


def test_naive_bayes_follows_the_papers_formula() -> None:
    bayes = NaiveBayes(features=2, strength=2.0)
    bayes.learn(["whale"], relevant=True, given=True)
    bayes.learn(["whale", "train"], relevant=True, given=True)
    bayes.learn(["train"], relevant=False, given=True)
    # topic: 2/3, whale (2+1)/(3+2), train (1+1)/(3+2); rest: 1/3, whale (0+1)/(1+2), train (1+1)/(1+2)
    assert bayes.probability(["whale"]) == pytest.approx((2 * 3 / 5) / (2 * 3 / 5 + 1 / 3))
    assert bayes.probability(["train"]) == pytest.approx((2 * 2 / 5) / (2 * 2 / 5 + 2 / 3))


def test_classes_are_even_as_long_as_one_of_them_has_no_examples() -> None:
    bayes = NaiveBayes(features=2, strength=2.0)
    assert bayes.probability([]) == 0.5
    bayes.learn(["whale"], relevant=True, given=True)
    assert bayes.probability([]) == 0.5


def test_where_few_examples_are_good_a_link_must_say_more() -> None:
    hint = (10, "whale", "")
    scorer = taught(SegmentedContext)
    assert REFUSED not in scorer.visit(page(9, TRAIN, hint)).scores
    for key in range(20, 80):
        scorer.example(page(key, f"{TRAIN} number {key}"), relevant=False)
    assert scorer.visit(page(9, TRAIN, hint)).scores == [REFUSED]


def test_links_that_led_to_relevant_pages_teach_the_crawl() -> None:
    scorer = taught(SegmentedBacklinks)
    hint = (10, "click", "zebra crossing")
    before = scorer.visit(page(8, TRAIN, hint, (12, "click", "zebra crossing"))).scores[1]
    scorer.visit(page(10, WHALE))
    assert scorer.visit(page(9, TRAIN, (13, "click", "zebra crossing"))).scores[0] > before


def test_the_threshold_is_that_of_the_paper() -> None:
    assert SegmentedContext().threshold == 0.76
    assert CosinePriority().share == 0.5


def test_links_known_to_lead_to_an_example_teach_too() -> None:
    def backlinks(url: Url) -> list[Link]:
        good = url == "http://a.example/1"
        return [Link(url=url, before="zebra crossing", anchor="click")] if good else []

    seen = page(9, TRAIN, (13, "click", "zebra crossing"))
    plain, told = SegmentedBacklinks(words="whale"), SegmentedBacklinks(words="whale", backlinks=backlinks)
    for scorer in (plain, told):
        scorer.example(page(1, WHALE), relevant=True)
        scorer.example(page(3, TRAIN), relevant=False)
    assert told.visit(seen).scores[0] > plain.visit(seen).scores[0]


def test_what_links_have_taught_is_known_after_a_restart() -> None:
    scorer = taught(SegmentedBacklinks)
    scorer.visit(page(8, TRAIN, (10, "click", "zebra crossing"), (11, "here", "yellow door")))
    scorer.visit(page(10, WHALE))
    again = SegmentedBacklinks(words="whale ocean")
    again.restore(scorer.dump())
    for known in (scorer, again):
        known.visit(page(11, WHALE))
    seen = page(9, TRAIN, (13, "click", "zebra crossing"), (14, "here", "yellow door"))
    assert again.visit(seen).scores == pytest.approx(scorer.visit(seen).scores)


@pytest.mark.parametrize("make", ALL)
def test_best_scores_are_known_after_a_restart(make: Callable[..., PaperScorer]) -> None:
    scorer, again = taught(make), make(words="whale ocean")
    score = scorer.visit(page(9, WHALE, (10, "whale", "krill of the ocean"))).scores[0]
    again.restore(scorer.dump())
    keys, scores = again.revise()
    assert keys == [10]
    assert list(scores) == pytest.approx([score])


@pytest.mark.parametrize("make", ALL)
def test_the_last_verdict_on_a_page_counts(make: Callable[..., PaperScorer]) -> None:
    changed, plain = taught(make), taught(make)
    changed.example(page(5, TRAIN), relevant=True)
    changed.example(page(5, TRAIN), relevant=False)
    plain.example(page(5, TRAIN), relevant=False)
    seen = page(9, WHALE, (10, "whale", "krill of the ocean"), (11, "train", "rails and station"))
    assert changed.visit(seen).scores == pytest.approx(plain.visit(seen).scores, rel=0.05)


def test_an_ontology_of_ones_own_decides_what_is_near() -> None:
    ontology = {"locomotive": ["whale"], "whale": ["thing"]}
    scorer = SemanticPriority(words="whale", ontology=ontology)
    seen = page(9, TRAIN, (10, "locomotives", "a locomotive"), (11, "calf", "a calf"))
    near, far = scorer.visit(seen).scores
    assert near > 0
    assert far == 0


@pytest.mark.parametrize("make", [CosinePriority, SemanticPriority, SegmentedContext])
def test_the_words_of_a_link_say_why(make: Callable[..., PaperScorer]) -> None:
    scorer = taught(make)
    seen = page(9, WHALE, (10, "whale", "krill of the ocean"))
    scorer.visit(seen)
    first, *said = scorer.why_link(10, seen.links)
    assert first.what == "best of the links to it"
    weights = {reason.what: reason.weight for reason in said}
    assert weights['"whale"'] > 0


def test_the_best_link_of_all_pages_seen_is_taken_those_of_examples_too() -> None:
    example = page(5, WHALE, (10, "whale", "krill of the ocean"))
    assert taught(SemanticPriority).example(example, relevant=True) != [REFUSED]
    assert taught(SemanticPriority).example(example, relevant=False) == [REFUSED]


@pytest.mark.parametrize("make", [ClassicFocused, CosinePriority, SegmentedContext, SegmentedBacklinks])
def test_links_of_training_pages_are_followed_only_where_the_crawl_starts(make: Callable[..., PaperScorer]) -> None:
    scorer = taught(make)
    example = page(5, WHALE, (10, "whale", "krill of the ocean"))
    assert scorer.example(example, relevant=True) == [REFUSED]
    assert scorer.example(msgspec.structs.replace(example, start=True), relevant=True) != [REFUSED]
