"""Words and the forms under which their inflections meet."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.words.tokens import stem, words


def test_words_are_in_lower_case_and_in_order() -> None:
    assert words("The CS611 Home-Page, 1996") == ["the", "cs", "611", "home", "page", "1996"]


def test_korean_words_are_split_at_blanks_and_from_latin_ones() -> None:
    assert words("Calc에서 수식을 입력") == ["calc", "에서", "수식을", "입력"]


def test_text_without_blanks_between_words_becomes_pairs() -> None:
    assert words("機械学習 model") == ["機械", "械学", "学習", "model"]
    assert words("本") == ["本"]


@pytest.mark.parametrize(
    ("inflected", "common"),
    [
        ("batteries", "battery"),
        ("classes", "class"),
        ("planning", "plan"),
        ("planned", "plan"),
        ("bus", "bus"),
        ("red", "red"),
        ("함수를", "함수"),
        ("함수에서는", "함수"),
        ("시트로", "시트"),
        ("나이", "나이"),
        ("1996", "0000"),
        ("611", "000"),
        ("20240131", "0000"),
    ],
)
def test_inflections_share_a_stem(inflected: str, common: str) -> None:
    assert stem(inflected) == common


@given(st.text())
def test_any_text_has_words_and_every_word_a_stem(text: str) -> None:
    assert all(stem(word) for word in words(text))
