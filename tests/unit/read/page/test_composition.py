from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.model.pages import Block
from haenyeo.read.page.composition import composition_of

TEXTS = st.lists(st.text(min_size=1), min_size=1, max_size=8)


def lengths(texts: list[str]) -> np.ndarray:
    return np.array([len(text) for text in texts], np.float32)


@given(TEXTS)
def test_signs_are_counted_in_each_text_by_itself(texts: list[str]) -> None:
    found = composition_of(tuple(Block(text, "p") for text in texts), lengths(texts))
    assert found.digits.tolist() == [sum(letter in "0123456789" for letter in text) for text in texts]
    assert found.commas.tolist() == [text.count(",") for text in texts]
    assert found.questions.tolist() == [text.count("?") for text in texts]


def test_prices_and_dates_are_told_from_texts() -> None:
    texts = [
        "3 March 2025",
        "$ 12.50",
        "The dollar ($) fell.",
        "In 2025 the tides were low, and so it went all winter.",
    ]
    found = composition_of(tuple(Block(text, "p") for text in texts), lengths(texts))
    assert found.price.tolist() == [0, 1, 0, 0]
    assert found.date.tolist() == [1, 1, 0, 0]
