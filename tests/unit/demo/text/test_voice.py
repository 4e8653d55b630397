import pytest

from haenyeo.demo.chance import Chance
from haenyeo.demo.text import Voice, lexicon

_SUBJECTS = [(language, name) for language in ("en", "ko") for name in lexicon(language).subjects]


def _voice(language: str, name: str, key: int = 1) -> Voice:
    words = lexicon(language)
    return Voice(words, words.subjects[name], Chance(key, name))


@pytest.mark.parametrize(("language", "name"), _SUBJECTS)
def test_sentences_are_whole(language: str, name: str) -> None:
    voice = _voice(language, name)
    for register in ("prose", "comment", "question", "product", "doc"):
        for _ in range(30):
            sentence = voice.sentence(register)
            assert sentence[-1] in '.?"'
            assert not set("{}") & set(sentence)
            assert sentence.lstrip('"')[0] == sentence.lstrip('"')[0].upper()


def test_the_same_chance_says_the_same() -> None:
    assert _voice("en", "bread").paragraph(5) == _voice("en", "bread").paragraph(5)
    assert _voice("en", "bread").paragraph(5) != _voice("en", "bread", 2).paragraph(5)


def test_one_sentence_never_names_a_thing_twice() -> None:
    voice = _voice("en", "tides")
    for _ in range(200):
        title = voice.saying("{what}|{what2}|{what3}").lower().split("|")
        assert len(set(title)) == 3


def test_a_page_keeps_to_its_subject() -> None:
    terms = lexicon("en").subjects["bread"].phrases["what"]
    text = _voice("en", "bread").paragraph(40)
    assert sum(term in text for term in terms) > 5


def test_programs_keep_their_lines() -> None:
    assert "\n" in _voice("en", "tides").code()


def test_sites_speak_of_themselves_by_name() -> None:
    assert "물길은 " in _voice("ko", "haenyeo").about("물길")
