"""Choosing what to keep so that the F-measure to be expected is greatest.

Of blocks with w words each, of which a share q is expected to be text, keeping a set K gives
    F(K) = 2 Σ_K qw / (Σ_K w + Σ qw)
in expectation of its parts. The best K is always "all above a cut", and the cut is half the best F.
"""

from __future__ import annotations

import numpy as np

from haenyeo.read.page.texts import Bools, Floats


def best_cut(likely: Floats, words: Floats) -> tuple[Bools, float]:
    """The blocks to keep, and the F to be expected of them."""
    order = np.argsort(-likely, kind="stable")
    text = np.cumsum((likely * words)[order], dtype=np.float64)
    kept = np.cumsum(words[order], dtype=np.float64)
    if not len(order) or text[-1] <= 0:
        return np.zeros(len(order), np.bool_), 0.0
    expected = 2 * text / (kept + text[-1])
    best = int(expected.argmax())
    return (likely >= likely[order[best]]) & (words > 0), float(expected[best])


def expected_f(text: Floats, words: Floats, total: Floats | np.float32) -> Floats:
    """F of keeping a part that has so many words, of which so many are text, where the page has `total` of text."""
    expected: Floats = 2 * text / np.maximum(words + total, 1e-6)
    return expected
