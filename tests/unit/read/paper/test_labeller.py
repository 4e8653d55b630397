from __future__ import annotations

from itertools import pairwise, product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.read.paper.labeller import SequenceLabeller, _best_labels, features_of
from haenyeo.read.paper.nodes import TextNode

WEIGHTS = st.integers(-5, 5).map(float)


@given(scores=st.lists(WEIGHTS, min_size=1, max_size=7), steps=st.lists(WEIGHTS, min_size=4, max_size=4))
def test_the_best_labels_are_the_best_of_all(scores: list[float], steps: list[float]) -> None:
    table = np.array(steps).reshape(2, 2)

    def worth(labels: tuple[int, ...]) -> float:
        moves = sum(float(table[before, after]) for before, after in pairwise(labels))
        return sum(score for score, label in zip(scores, labels, strict=True) if label) + moves

    found = tuple(_best_labels(np.array(scores), table).tolist())
    assert worth(found) == max(worth(labels) for labels in product((0, 1), repeat=len(scores)))


def page(count: int) -> tuple[list[TextNode], list[bool]]:
    menu = [TextNode(f"menu {number}", linked=True, tags=("a", "li")) for number in range(4)]
    text = [TextNode(f"A sentence of the text, number {number}.", linked=False, tags=("p",)) for number in range(count)]
    return [*menu, *text, menu[0]], [False] * 4 + [True] * count + [False]


def test_it_learns_what_text_looks_like() -> None:
    labeller = SequenceLabeller(rounds=3, size=1 << 12)
    labeller.fit([page(count) for count in range(1, 8)])
    nodes, labels = page(12)
    assert labeller.label(nodes) == labels
    assert labeller.label([]) == []


def test_features_are_numbers_below_the_size_and_depend_on_neighbours() -> None:
    nodes, _ = page(3)
    features = features_of(nodes, 1 << 10)
    assert features.shape[0] == len(nodes)
    assert ((features >= 0) & (features < 1 << 10)).all()
    assert features_of(nodes[1:2], 1 << 10).tolist() != features[1:2].tolist()
