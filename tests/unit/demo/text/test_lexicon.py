import pytest

from haenyeo.demo.text import lexicon
from haenyeo.demo.text.lexicon import Gap, parse_frame

_SLOTS = {"who", "did", "where", "when", "what", "fact", "do", "goods"}


@pytest.mark.parametrize("language", ["en", "ko"])
def test_every_subject_can_fill_every_slot(language: str) -> None:
    for subject in lexicon(language).subjects.values():
        assert set(subject.phrases) >= _SLOTS
        assert all(len(set(phrases)) == len(phrases) for phrases in subject.phrases.values()), subject.name


def test_both_languages_know_the_same_registers() -> None:
    assert lexicon("en").frames.keys() == lexicon("ko").frames.keys()


def test_korean_facts_can_be_quoted() -> None:
    facts = [fact for subject in lexicon("ko").subjects.values() for fact in subject.phrases["fact"]]
    assert all(fact.endswith("다") and not fact.endswith("이다") for fact in facts)


def test_a_frame_knows_its_gaps() -> None:
    frame = parse_frame("{who} saw {What2:은} and {what}.")
    assert frame.gaps == (
        Gap("", "who", "", capital=True, again=False),
        Gap(" saw ", "what", "은", capital=True, again=True),
        Gap(" and ", "what", "", capital=False, again=True),
    )
    assert frame.tail == "."
