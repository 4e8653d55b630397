"""Kang & Kim 2020: the similarity of section 3.2 by hand, and the formula (1) it is compared with."""

from __future__ import annotations

import math

import pytest

from haenyeo.find.faithful import classic
from haenyeo.find.faithful.cosine import CosinePriority
from haenyeo.find.faithful.paper_scorer import REFUSED
from haenyeo.find.faithful.semantic import SemanticPriority
from haenyeo.model.pages import Link, Url
from haenyeo.model.parts import LinkedPage
from haenyeo.papers.semantic_priority import CRAWLERS

# dog -> canine -> carnivore <- feline <- cat: path_similarity(dog, cat) = 1 / (1 + 4), of a word with itself 1
ONTOLOGY = {"dog": ["canine"], "canine": ["carnivore"], "cat": ["feline"], "feline": ["carnivore"]}


def rated(scorer: SemanticPriority | CosinePriority, anchor: str, paragraph: str) -> float:
    link = Link(url=Url("http://a.example/x"), anchor=anchor, paragraph=paragraph)
    page = LinkedPage(key=1, url=Url("http://a.example/"), text="page", links=[link], targets=[2])
    return scorer.visit(page).scores[0]


def test_sim_of_section_3_2() -> None:
    scorer = SemanticPriority(words="dog", ontology=ONTOLOGY)
    # Sim_anchor("dog", "cat") = (1/5) / (1 + 1) = 1/10
    # Sim_paragraph: "cat eats canine": (1/5 + 0 + 1/2) / (1 + 3) = 7/40
    # Sim = 1 / (10 + 40/7) = 7/110; scores end at 1: s / (1 + s)
    similarity = 1 / (1 / (1 / 10) + 1 / (7 / 40))
    assert similarity == pytest.approx(7 / 110)
    assert rated(scorer, "cat", "cat eats canine") == pytest.approx(similarity / (1 + similarity))


def test_both_must_be_near_the_topic() -> None:
    scorer = SemanticPriority(words="dog", ontology=ONTOLOGY)
    assert rated(scorer, "cat", "bread oven") == 0.0
    assert rated(scorer, "bread", "cat dog") == 0.0


def test_of_several_topic_words_all_are_summed() -> None:
    scorer = SemanticPriority(words="dog cat", ontology=ONTOLOGY)
    # Sim_anchor = (1 + 1/5) / (2 + 1) = .4 = Sim_paragraph; Sim = 1 / (2.5 + 2.5) = .2
    assert rated(scorer, "dog", "dog") == pytest.approx(0.2 / 1.2)


def test_path_similarity_is_wordnets() -> None:
    scorer = SemanticPriority(words="dog")
    # WordNet's dog and cat are 4 steps apart as domestic animals, wolf is 2 from dog: the nearest senses count
    assert rated(scorer, "wolf", "wolf") > rated(scorer, "cat", "cat") > rated(scorer, "bread", "bread") > 0


def test_links_without_words_are_left() -> None:
    assert rated(SemanticPriority(words="dog"), "", "dog") == REFUSED


def test_joint_feature_evaluation_of_section_2_2() -> None:
    def cosine(share: float) -> float:
        return rated(CosinePriority(words="dog cat", share=share), "dog", "dog cat")

    # all words weigh the same: cos(anchor) = 1 / √2, cos(paragraph) = 1
    assert cosine(0.5) == pytest.approx(0.5 / math.sqrt(2) + 0.5)
    assert cosine(1.0) == pytest.approx(1 / math.sqrt(2))


def test_what_section_4_calls_fc_is_breadth_first_and_not_the_classic_focused_crawler() -> None:
    assert CRAWLERS["FC"]("whale") is None, "no scorer: links are taken as they come"
    assert "What Kang & Kim (2020, section 4) call FC is breadth first, the strategy `bfs`" in " ".join(
        str(classic.__doc__).split()
    )
