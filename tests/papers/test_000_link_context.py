"""Cho et al. 2005: the formulas of section 4 by hand, and what the crawler of section 5 does with them."""

from __future__ import annotations

import math

import pytest

from haenyeo.find.faithful.classic import ClassicFocused
from haenyeo.find.faithful.descriptors import hyperlink_descriptor
from haenyeo.find.faithful.naive_bayes import NaiveBayes
from haenyeo.find.faithful.paper_scorer import REFUSED
from haenyeo.find.faithful.segment import SegmentedBacklinks, SegmentedContext
from haenyeo.html.parse import parse_page
from haenyeo.html.surroundings import all_surroundings
from haenyeo.model.pages import Link, Url
from haenyeo.model.parts import LinkedPage

CORBA = ("corba broker object request", "corba idl object interface", "corba orb broker idl")
OTHER = ("football team player request", "garden flower interface", "football match", "bread oven garden", "flower pot")


def trained(features: int = 4, strength: float | None = None) -> NaiveBayes:
    bayes = NaiveBayes(features=features, strength=strength)
    for text in CORBA:
        bayes.learn(text.split(), relevant=True, given=True)
    for text in OTHER:
        bayes.learn(text.split(), relevant=False, given=True)
    return bayes


def test_chi_squared_of_section_4_1() -> None:
    bayes = trained()
    # corba: A = 3, B = 0, C = 0, D = 5, N = 8: 8 · (3·5 - 0·0)² / ((3+0) · (0+5) · (3+0) · (0+5)) = 8
    assert bayes.chi_squared("corba") == pytest.approx(8.0)
    # request: A = 1, B = 1, C = 2, D = 4: 8 · (1·4 - 2·1)² / (3 · 5 · 2 · 6) = 32 / 180
    assert bayes.chi_squared("request") == pytest.approx(32 / 180)
    # idl: A = 2, B = 0, C = 1, D = 5: 8 · (2·5)² / (3 · 5 · 2 · 6) = 800 / 180
    assert bayes.chi_squared("idl") == pytest.approx(800 / 180)
    assert bayes.chosen() == ["corba", "broker", "idl", "object"]


def test_m_estimate_of_section_4_3() -> None:
    bayes = trained(strength=4.0)
    # features corba, broker, idl, object: n = 3 + 2 + 2 + 2 = 9 in the topic, 0 elsewhere; t = 4, p = 1/4
    on_topic, elsewhere = bayes.estimates("corba", bayes.chosen())
    assert on_topic == pytest.approx((3 + 4 * 0.25) / (9 + 4))
    assert elsewhere == pytest.approx((0 + 4 * 0.25) / (0 + 4))
    odds = (3 / 5) * ((3 + 1) / 13) / (1 / 4)
    assert bayes.probability(["corba", "unknown"]) == pytest.approx(odds / (1 + odds))


def test_the_weight_of_a_feature_in_the_sample_can_be_set() -> None:
    bayes = NaiveBayes(features=2, strength=10.0, weight=0.3)
    bayes.learn(["corba"], relevant=True, given=True)
    bayes.learn(["bread"], relevant=False, given=True)
    assert bayes.estimates("corba", bayes.chosen()) == pytest.approx(((1 + 3) / 11, (0 + 3) / 11))


def test_descriptors_are_ten_words_on_each_side_whatever_the_tags() -> None:
    words = [f"w{number:c}{number:c}" for number in range(ord("a"), ord("z") + 1)]
    html = (
        f"<table><tr><td>{' '.join(words[:11])}</td><td><a href='/x'>link words</a></td>"
        f"<td>{' '.join(words[11:15])}</td></tr></table><p>{' '.join(words[15:])}</p>"
    )
    [link] = all_surroundings(parse_page(html.encode(), Url("http://a.example/"), "text/html"))
    assert hyperlink_descriptor(link) == {"link", "words", *words[1:11], *words[11:21]}


def page(key: int, text: str, *links: tuple[int, str], title: str = "") -> LinkedPage:
    made = [Link(url=Url(f"http://a.example/{target}"), anchor=anchor) for target, anchor in links]
    url = Url(f"http://a.example/{key}")
    return LinkedPage(key=key, url=url, title=title, text=text, links=made, targets=[target for target, _ in links])


def taught(scorer: SegmentedContext) -> SegmentedContext:
    for key, text in enumerate((*CORBA, *OTHER)):
        scorer.example(page(key, text), relevant=key < len(CORBA))
    return scorer


def test_pages_are_judged_by_the_same_classifier() -> None:
    scorer = taught(SegmentedContext(features=20))
    expected = 1 / (1 + math.exp(-scorer.bayes.log_odds(["corba", "bread"]) - math.log(3 / 5)))
    assert scorer.visit(page(50, "corba bread")).relevance == pytest.approx(expected)


def test_the_classic_crawler_judges_pages_by_the_same_classifier_and_number_of_features() -> None:
    for features in (2, 20):
        classic, segment = taught(ClassicFocused(features=features)), taught(SegmentedContext(features=features))
        read = page(50, "corba bread object")
        assert classic.visit(read).relevance == pytest.approx(segment.visit(read).relevance)


def test_links_between_examples_are_learnt_in_whatever_order_these_come() -> None:
    examples = [page(key, text, ((key + 1) % 3, f"about {text}")) for key, text in enumerate(CORBA)]
    learnt = []
    for order in (examples, examples[::-1]):
        scorer = SegmentedBacklinks()
        for example in order:
            scorer.example(example, relevant=True)
        learnt.append(scorer.bayes.counted)
    assert learnt[0] == learnt[1]
    assert learnt[0].topics == 6


def test_the_prior_stays_that_of_the_training_however_many_pages_are_found() -> None:
    scorer = taught(SegmentedBacklinks(threshold=0.76))
    before = scorer.bayes.prior
    for key in range(100, 300):
        scorer.visit(page(key, "corba broker idl", (key + 1000, "corba idl"), (key + 1, "corba orb")))
    assert scorer.bayes.prior == before == pytest.approx(math.log(3 / 5))
    assert scorer.visit(page(400, "bread", (2000, "bread garden"))).scores == [REFUSED], ".76 still stops something"


def test_from_good_examples_alone_the_crawl_shows_what_is_not_the_topic() -> None:
    scorer = SegmentedContext(strength=1.0)
    for key, text in enumerate(CORBA):
        scorer.example(page(key, f"the site menu contact {text}"), relevant=True)
    menu = [(200 + number, "menu contact site") for number in range(4)]
    first = scorer.visit(page(20, "the site menu contact football garden bread oven flower", *menu))
    assert REFUSED not in first.scores, "nothing is known yet of what is not the topic"
    for key, text in enumerate(OTHER, 21):
        scorer.visit(page(key, f"the site menu contact {text} window letter market", *menu))
    judged = scorer.visit(
        page(40, "site menu", (31, "corba idl broker"), (32, "menu contact"), (33, "football garden"))
    )
    assert judged.scores[0] > 0.5
    assert judged.scores[1:] == [REFUSED, REFUSED]
    assert scorer.visit(page(41, "football garden market")).relevance < 0.5
    assert "corba" in scorer.bayes.chosen()[:3], "features are those that tell the topic apart, not the first by name"


def test_examples_of_another_topic_are_examples_of_what_this_is_not() -> None:
    scorer = SegmentedContext()
    for key, text in enumerate(CORBA):
        scorer.example(page(key, text), relevant=True)
    for key, text in enumerate(OTHER, 10):
        scorer.other_example(page(key, text))
    assert scorer.bayes.prior == pytest.approx(math.log(3 / 5))
    assert scorer.visit(page(50, "football team in the garden")).relevance < 0.5
    again = SegmentedContext()
    again.restore(scorer.dump())
    assert again.bayes.prior == scorer.bayes.prior


def test_a_list_of_addresses_is_not_followed_where_links_must_reach_a_threshold() -> None:
    assert not SegmentedContext().follows_lists
    assert SegmentedBacklinks().follows_lists
    assert not SegmentedBacklinks(threshold=0.76).follows_lists
