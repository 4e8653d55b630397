from __future__ import annotations

from collections.abc import Iterator

import pytest

from haenyeo.find.learned.features import WORD_IDS, place
from haenyeo.words import korean
from haenyeo.words.tokens import stem


@pytest.fixture
def kiwi() -> Iterator[None]:
    """Inside, words are read by kiwipiepy."""
    korean.choose("kiwi")
    yield
    korean.choose("particles")


def test_a_list_is_used_unless_asked_otherwise() -> None:
    assert korean.chosen() == "particles"
    assert stem("저장하기") == "저장"
    assert stem("불러오려면") == "불러오려"


@pytest.mark.slow
@pytest.mark.usefixtures("kiwi")
def test_a_dictionary_knows_stems_from_endings() -> None:
    assert korean.chosen().startswith("kiwi ")
    words = ("함수를", "불러오려면", "불러오기", "투명한", "김프에서", "은", "words", "1996")
    assert [stem(word) for word in words] == ["함수", "불러오", "불러오", "투명", "김프", "은", "word", "0000"]


@pytest.mark.slow
def test_nothing_read_by_the_other_method_is_remembered() -> None:
    assert WORD_IDS["불러오려면"] == place("불러오려")
    korean.choose("kiwi")
    try:
        assert WORD_IDS["불러오려면"] == place("불러오")
    finally:
        korean.choose("particles")
    assert WORD_IDS["불러오려면"] == place("불러오려")
