"""Sums over the words of pages."""

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.find.learned.features.words import TABLE, PageWords
from haenyeo.find.learned.tables import (
    add,
    add_in_python,
    add_vector,
    add_vector_in_python,
    match,
    match_in_python,
    quantile,
)

_RARITY = np.random.default_rng(2).random(TABLE).astype(np.float32) + 0.1
_DIRECTION = np.random.default_rng(4).normal(size=TABLE).astype(np.float32)
_PAGES = [PageWords.of("", text) for text in ("whale ocean", "", "train rail whale", "bread bread")]


def _vector(page: PageWords) -> npt.NDArray[np.float64]:
    vector = np.zeros(TABLE)
    vector[page.ids] = page.weights * _RARITY[page.ids]
    unit: npt.NDArray[np.float64] = vector / (np.linalg.norm(vector) or 1.0)
    return unit


def test_a_sum_is_one_of_vectors_of_the_length_given() -> None:
    total = np.zeros(TABLE, np.float32)
    for page in _PAGES:
        add_vector(total, page, _RARITY, 2.0)
    assert np.allclose(total, 2 * sum(map(_vector, _PAGES)), atol=1e-6)


@pytest.mark.parametrize("page", _PAGES)
def test_a_page_matches_as_far_as_it_goes_in_a_direction(page: PageWords) -> None:
    assert match(page, _RARITY, _DIRECTION) == pytest.approx(_vector(page) @ _DIRECTION, abs=1e-6)


@given(st.text(max_size=200), st.floats(-3, 3, width=32))
def test_compiled_code_finds_the_same(text: str, value: float) -> None:
    page = PageWords.of(text[:20], text)
    quick, plain = np.zeros(TABLE, np.float32), np.zeros(TABLE, np.float32)
    add(quick, page, value)
    add_in_python(plain, page, value)
    add_vector(quick, page, _RARITY, value)
    add_vector_in_python(plain, page, _RARITY, value)
    assert np.allclose(quick, plain, atol=1e-5)
    assert match(page, _RARITY, _DIRECTION) == pytest.approx(match_in_python(page, _RARITY, _DIRECTION), abs=1e-5)


@given(st.lists(st.floats(-9, 9), min_size=1, max_size=30), st.floats(0, 1))
def test_a_quantile_lies_where_numpy_puts_it(values: list[float], share: float) -> None:
    assert quantile(np.array(values), share) == pytest.approx(float(np.quantile(values, share)), abs=1e-9)
