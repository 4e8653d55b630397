from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.read.page.expected import best_cut

BLOCKS = st.lists(st.tuples(st.floats(1 / 64, 1, width=32), st.integers(1, 50)), min_size=1, max_size=6)


@given(BLOCKS)
def test_no_other_choice_has_a_greater_f_to_be_expected(blocks: list[tuple[float, int]]) -> None:
    likely = np.array([block[0] for block in blocks], np.float32)
    words = np.array([block[1] for block in blocks], np.float32)
    _, expected = best_cut(likely, words)
    total = (likely * words).sum()
    every = (np.array(choice) for choice in product([False, True], repeat=len(blocks)))
    best = max(2 * (likely * words)[choice].sum() / (words[choice].sum() + total) for choice in every)
    assert expected >= best - 1e-5


@given(BLOCKS)
def test_a_likelier_block_is_kept_before_another(blocks: list[tuple[float, int]]) -> None:
    likely = np.array([block[0] for block in blocks], np.float32)
    kept, _ = best_cut(likely, np.array([block[1] for block in blocks], np.float32))
    assert kept.any()
    if not kept.all():
        assert likely[kept].min() > likely[~kept].max()


def test_of_nothing_nothing_is_kept() -> None:
    kept, expected = best_cut(np.zeros(0, np.float32), np.zeros(0, np.float32))
    assert len(kept) == 0
    assert expected == 0


def test_blocks_without_words_are_not_kept() -> None:
    kept, _ = best_cut(np.array([0.9, 0.9], np.float32), np.array([0, 5], np.float32))
    assert kept.tolist() == [False, True]
