from __future__ import annotations

import math

import pytest

from haenyeo.find.semantic_plus import SemanticPlus
from haenyeo.model.pages import Link, Url
from haenyeo.model.parts import LinkedPage

ONTOLOGY = {"dog": ["canine"], "canine": ["carnivore"], "cat": ["feline"], "feline": ["carnivore"]}


def rated(scorer: SemanticPlus, anchor: str, paragraph: str, text: str = "page") -> float:
    link = Link(url=Url("http://a.example/x"), anchor=anchor, paragraph=paragraph)
    page = LinkedPage(key=1, url=Url("http://a.example/"), text=text, links=[link], targets=[2])
    return scorer.visit(page).scores[0]


def test_what_is_far_counts_as_nothing() -> None:
    scorer = SemanticPlus(words="dog", ontology=ONTOLOGY)
    assert rated(scorer, "cat", "cat dog") == 0.0, "five steps apart"
    assert rated(scorer, "carnivore", "carnivore") > 0, "two steps apart"
    assert rated(SemanticPlus(words="dog", ontology=ONTOLOGY, least=0.1), "cat", "cat dog") > 0


def test_rare_words_weigh_more() -> None:
    scorer = SemanticPlus(words="dog", ontology=ONTOLOGY)
    for _ in range(20):
        rated(scorer, "menu", "menu", text="menu contact")
    common, rare = rated(scorer, "dog", "dog menu contact"), rated(scorer, "dog", "dog zebra quagga")
    assert common > rare, "common words beside a near one take less away"


def test_nearness_by_hand() -> None:
    scorer = SemanticPlus(words="dog", ontology=ONTOLOGY)
    # one page is seen, "bread": dog and canine stand on none of 1, so that they weigh log(1 + 2 / .5)
    # Sim_anchor = w/2 / (w + w) = 1/4 = Sim_paragraph, Sim = 1/8
    assert math.log(1 + 2 / 0.5) == pytest.approx(1.609, abs=1e-3)
    assert rated(scorer, "canine", "canine", text="bread") == pytest.approx((1 / 8) / (1 + 1 / 8))
