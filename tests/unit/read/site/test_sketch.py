from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.read.site.sketch import MOST_PAGES, TextSketch

KEYS = st.integers(0, 2**64 - 1)


def keys(*values: int) -> np.ndarray:
    return np.array(values, np.uint64)


@given(st.lists(st.lists(KEYS, min_size=1, max_size=8), max_size=20))
def test_counts_are_never_too_low(pages: list[list[int]]) -> None:
    sketch, true = TextSketch(), Counter[int]()
    for page in pages:
        sketch.add(keys(*page))
        true.update(set(page))
    for key, count in true.items():
        assert sketch.count(keys(key))[0] >= count


def test_a_text_counts_once_a_page() -> None:
    sketch = TextSketch()
    sketch.add(keys(5, 5, 5))
    assert sketch.count(keys(5, 6)).tolist() == [1, 0]


def test_when_full_the_template_stays_and_single_texts_go() -> None:
    sketch = TextSketch()
    for page in range(MOST_PAGES):
        sketch.add(keys(1, 1000 + page))
    assert sketch.pages == MOST_PAGES / 2
    assert sketch.count(keys(1))[0] == MOST_PAGES // 2
    assert sketch.count(keys(1000))[0] == 0


def test_a_written_sketch_goes_on() -> None:
    sketch = TextSketch()
    sketch.add(keys(1, 2))
    again = TextSketch.from_bytes(sketch.to_bytes(), sketch.pages, sketch.texts)
    again.add(keys(2))
    assert again.count(keys(1, 2)).tolist() == [1, 2]
    assert sketch.count(keys(2)).tolist() == [1]


def test_a_folded_sketch_takes_little_room_and_goes_on_as_it_was() -> None:
    sketch, other = TextSketch(), TextSketch()
    for each in (sketch, other):
        each.add(np.arange(1, 200, dtype=np.uint64))
    assert sketch.fold() < 4000
    assert sketch.fold() < 4000
    for each in (sketch, other):
        each.add(np.arange(100, 300, dtype=np.uint64))
    assert sketch.to_bytes() == other.to_bytes()
    assert TextSketch().fold() == 0
