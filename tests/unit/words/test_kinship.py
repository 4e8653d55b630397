from __future__ import annotations

import pytest

from haenyeo.words.kinship import Ontology, TermGraph
from haenyeo.words.wordnet import wordnet

# As NLTK 3.9 computes them over WordNet 3.0, best pair of senses.
NOUNS = [
    ("cashew", "adulterator", 1 / 11), ("malposition", "impermeableness", 1 / 9), ("children", "adulterator", 1 / 4),
    ("distressingness", "insensitivity", 1 / 4), ("computers", "pulsation", 1 / 8), ("project", "spillikin", 1 / 16),
    ("malposition", "geese", 1 / 11), ("horde", "horde", 1.0), ("wiesbaden", "manihot", 1 / 17),
]  # fmt: skip
VERBS = [
    ("coke", "pillage", 1 / 6), ("tyrannize", "vilify", 1 / 13), ("walking", "thinks", 1 / 4), ("hum", "trail", 1 / 4),
    ("unload", "tantalize", 1 / 9), ("economise", "coke", 1 / 8), ("inscribe", "attitudinize", 1 / 9),
]  # fmt: skip


def similarity(graph: TermGraph, first: str, second: str) -> float:
    """The path similarity of two words, best pair of senses; 0 if one is unknown."""
    return float(graph.similarities(first)[list(graph.senses(second))].max(initial=0.0))


@pytest.mark.parametrize(("first", "second", "expected"), NOUNS)
def test_nouns_are_as_near_as_nltk_says(first: str, second: str, expected: float) -> None:
    assert similarity(wordnet(), first, second) == pytest.approx(expected)
    assert similarity(wordnet(), second, first) == pytest.approx(expected)


@pytest.mark.slow
@pytest.mark.parametrize(("first", "second", "expected"), VERBS)
def test_verbs_are_as_near_as_nltk_says(first: str, second: str, expected: float) -> None:
    assert similarity(wordnet("v"), first, second) == pytest.approx(expected)


def test_a_word_wordnet_does_not_know_is_near_to_nothing() -> None:
    assert similarity(wordnet(), "해녀", "diver") == 0.0
    assert similarity(wordnet(), "diver", "해녀") == 0.0


def test_all_nouns_and_verbs_are_there() -> None:
    assert wordnet().nodes == 95_882


def test_a_users_ontology_takes_wordnets_place() -> None:
    ontology = Ontology({"haenyeo": ["diver"], "Diver": ["person"], "baker": ["person"], "해녀": ["diver"]})
    assert similarity(ontology, "haenyeo", "diver") == 1 / 2
    assert similarity(ontology, "haenyeo", "해녀") == 1 / 3
    assert similarity(ontology, "haenyeo", "baker") == 1 / 4
    assert similarity(ontology, "haenyeo", "stone") == 0.0


def test_terms_that_are_broader_than_each_other_end_nowhere() -> None:
    assert similarity(Ontology({"a": ["b"], "b": ["a"]}), "a", "b") == 1 / 2


def test_terms_of_several_words_and_inflections_are_known_again() -> None:
    ontology = Ontology({"free diver": ["diver"], "해녀": ["diver"], "海女漁": ["diver"], "internet of things": []})
    assert ontology.terms(["many", "free", "divers", "and", "해녀가"]) == ["many", "free diver", "and", "해녀"]
    assert ontology.terms(["海女", "女漁"]) == ["海女 女漁"]
    assert similarity(ontology, "free divers", "해녀들은") == 1 / 3
    assert ontology.senses("Internet of Things")
