from __future__ import annotations

import pytest

from haenyeo.words.wordnet import wordnet


@pytest.mark.parametrize(
    ("inflected", "lemma"),
    [
        ("divers", "diver"),
        ("wolves", "wolf"),
        ("boxes", "box"),
        ("women", "woman"),
        ("cities", "city"),
        ("geese", "goose"),
    ],
)
def test_an_inflected_noun_has_all_senses_of_its_lemma(inflected: str, lemma: str) -> None:
    assert set(wordnet().senses(lemma)) <= set(wordnet().senses(inflected))
    assert wordnet().senses(lemma)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("inflected", "lemma"), [("walked", "walk"), ("diving", "dive"), ("went", "go"), ("flies", "fly")]
)
def test_an_inflected_verb_has_all_senses_of_its_lemma(inflected: str, lemma: str) -> None:
    assert set(wordnet("v").senses(lemma)) <= set(wordnet("v").senses(inflected))


def test_no_sense_is_named_twice_and_all_are_nodes() -> None:
    for word in ("dive", "sea", "set", "reefs"):
        senses = list(wordnet().senses(word))
        assert len(set(senses)) == len(senses) > 0
        assert all(0 <= sense < wordnet().nodes for sense in senses)


@pytest.mark.parametrize("word", ["해녀", "", "s", "xyzzying", "\udc80"])
def test_words_it_does_not_know_have_no_senses_or_their_own(word: str) -> None:
    assert all(isinstance(sense, int) for sense in wordnet().senses(word))
    assert not wordnet().senses("해녀")


def test_it_is_read_once() -> None:
    assert wordnet() is wordnet()
