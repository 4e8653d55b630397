"""Many pages at once."""

import numpy as np
import numpy.typing as npt
import pytest

from haenyeo.find.learned.features.many_pages import ManyPages
from haenyeo.find.learned.features.words import TABLE, PageWords

_RARITY = np.random.default_rng(2).random(TABLE).astype(np.float32) + 0.1
_PAGES = [PageWords.of("", text) for text in ("whale ocean", "", "train rail whale", "bread")]


def _vector(page: PageWords) -> npt.NDArray[np.float64]:
    vector = np.zeros(TABLE)
    vector[page.ids] = page.weights * _RARITY[page.ids]
    unit: npt.NDArray[np.float64] = vector / (np.linalg.norm(vector) or 1.0)
    return unit


def test_the_total_is_the_sum_of_vectors_of_length_one() -> None:
    total = ManyPages(_PAGES, _RARITY).total()
    assert np.allclose(total, sum(map(_vector, _PAGES)), atol=1e-6)


def test_matches_are_those_of_each_page() -> None:
    direction = np.random.default_rng(4).normal(size=TABLE).astype(np.float32)
    matches = ManyPages(_PAGES, _RARITY).matches(direction)
    assert matches == pytest.approx([_vector(page) @ direction for page in _PAGES], abs=1e-5)


def test_a_page_is_left_out_of_what_it_is_held_against() -> None:
    pages, rest = ManyPages(_PAGES, _RARITY), np.zeros(TABLE, np.float32)
    total = pages.total()
    expected = []
    for page in _PAGES:
        others = total - _vector(page)
        expected.append(_vector(page) @ others / np.linalg.norm(others))
    assert pages.matches_without_itself(total, rest) == pytest.approx(expected, abs=1e-5)


def test_no_pages_have_no_matches() -> None:
    assert ManyPages([], _RARITY).matches(_RARITY).tolist() == []
