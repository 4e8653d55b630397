"""Features as places in one table."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.find.learned.features.words import WORD_IDS, PageWords, WordIds, page_words_in_python, place, word_ids


def test_inflections_share_a_place_and_stop_words_have_none() -> None:
    assert WORD_IDS.of("the battery of batteries") == [place("battery")] * 2


def test_known_words_are_forgotten_before_they_fill_the_memory() -> None:
    ids = WordIds({str(number): number for number in range((1 << 19) + 1)})
    assert ids["whale"] == place("whale")
    assert len(ids) == 1


def test_words_of_the_title_weigh_more() -> None:
    page = PageWords.of("whale", "whale boat")
    weights = dict(zip(page.ids.tolist(), page.weights.tolist(), strict=True))
    assert weights[place("whale")] > weights[place("boat")] == 1.0
    assert len(page.ids) == 3


def test_a_page_without_words_has_none() -> None:
    page = PageWords.of("", "")
    assert len(page.ids) == len(page.weights) == 0


@given(st.text(max_size=300))
def test_compiled_code_finds_the_same_words(text: str) -> None:
    assert word_ids(text).tolist() == WORD_IDS.of(text)


@pytest.mark.parametrize(
    "text",
    [
        "The classes of buses, boxes, batteries and glasses; planned, stopped, falling, king, singing bees",
        "함수를 시트에서는 나이 사과를 때문에 입니다 있는 텍스트합니다만",
        "Donaudampfschifffahrtsgesellschaften supercalifragilisticexpialidocious 12345678901234567890 Ünïcödé",
        "日本語の文章 中文 カ ΣΊΣΥΦΟΣ İstanbul straße ÉCOLE déjà vu 1996 123456 a b 7",
    ],
)
def test_compiled_code_stems_as_the_words_part_does(text: str) -> None:
    assert word_ids(text).tolist() == WORD_IDS.of(text)


@given(st.text(max_size=60), st.text(max_size=300))
def test_compiled_code_counts_the_same(title: str, text: str) -> None:
    page, plain = PageWords.of(title, text), page_words_in_python(title, text)
    assert page.ids.tolist() == plain.ids.tolist()
    assert page.weights == pytest.approx(plain.weights)
