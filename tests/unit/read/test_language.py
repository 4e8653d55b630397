from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.read import language
from haenyeo.read.language import language_of


@pytest.mark.parametrize(
    ("said", "text", "expected"),
    [
        ("en", "해녀는 바다에서 숨을 참고 일한다", "ko"),
        ("", "海女は海に潜って貝をとります", "ja"),
        ("", "海洋里的女人们在冬天也下水", "zh"),
        ("de-AT", "Das Meer ist kalt", "de"),
        ("", "", ""),
    ],
)
def test_the_script_tells_the_language_before_the_page_does(said: str, text: str, expected: str) -> None:
    assert language_of(said, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Der Taucher kennt die Gezeiten und jedes Riff an dieser Küste beim Namen.", "de"),
        ("Ныряльщица знает приливы и каждую скалу этого берега по имени.", "ru"),  # noqa: RUF001
        ("La plongeuse connaît les marées et chaque récif de cette côte par son nom.", "fr"),
        ("La buceadora conoce las mareas y cada arrecife de esta costa por su nombre.", "es"),
        ("Potápěčka zná příliv a odliv a každý útes tohoto pobřeží jménem.", "cs"),
    ],
)
def test_the_words_tell_the_language_against_what_the_page_says(text: str, expected: str) -> None:
    assert language_of("en", text) == expected
    assert language_of("", text) == expected


def test_a_text_full_of_the_words_of_the_language_that_is_said_needs_no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    def asked() -> None:
        raise AssertionError("the model was asked")

    monkeypatch.setattr(language, "_model", asked)
    assert language_of("en", "The divers know the tides, and they were told of all that is on this reef.") == "en"
    with pytest.raises(AssertionError):
        language_of("en", "Der Taucher kennt die Gezeiten und jedes Riff an dieser K\u00fcste beim Namen.")


ENGLISH = "The diver knows the tides and every reef of this coast by its name, and what they bring with them in winter."
DUTCH = "De duikster was winters op zee of bij het rif en kent daar elk getij, maar wat ze vond hield ze bij zich."


@pytest.mark.parametrize("said", ["", "en", "de", "ko"])
def test_plain_english_and_plain_dutch_are_told_apart_whatever_the_page_says(said: str) -> None:
    assert language_of(said, ENGLISH) == "en"
    assert language_of(said, DUTCH) == "nl"


def test_a_page_that_says_it_is_english_may_begin_with_names() -> None:
    names = "Kim Ok-ja Hallim Gimnyeong Sehwa Hado Jongdal Udo Marado Gapado Chujado Biyangdo " * 5
    assert language_of("en", names + ENGLISH) == "en"


def test_of_a_few_words_the_page_is_believed() -> None:
    assert language_of("nl-BE", "Het getij") == "nl"


@given(st.text(), st.text())
def test_any_text_has_a_language_or_none(said: str, text: str) -> None:
    assert isinstance(language_of(said, text), str)
