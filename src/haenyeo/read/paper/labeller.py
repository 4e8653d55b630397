"""The sequence labeller that Kim and Kim (2021) §4.3 compare with: text or not, block by block, in page order.

A linear chain over the text nodes of a page: each is described by the tags above it and the words of it and of its
neighbours; two labels follow each other with learned weights. It is trained as an averaged perceptron (Collins 2002,
"Discriminative training methods for hidden Markov models"), which needs nothing but numpy.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import xxhash

from haenyeo.read.paper.nodes import TextNode

_NEIGHBOURS = (-2, -1, 0, 1, 2)
_TAGS_ABOVE = 3
_FIRST_WORDS = 8
_LENGTHS = (2, 5, 10, 20, 40, 80, 160, 320)
_MOST_FEATURES = 48
_OUTSIDE = TextNode("", linked=False, tags=("outside",))

Features = npt.NDArray[np.int64]
"""One row a block: the numbers of what is true of it, padded with 0, whose weight is always 0."""


class SequenceLabeller:
    """Learns from pages whose blocks are labelled; `size` is the number of weights that features are hashed to."""

    def __init__(self, *, rounds: int = 6, size: int = 1 << 18) -> None:
        self.rounds, self.size = rounds, size
        self._weights = np.zeros(size, np.float64)
        self._steps = np.zeros((2, 2), np.float64)

    def fit(self, pages: Sequence[tuple[Sequence[TextNode], Sequence[bool]]]) -> None:
        """Learn from all pages, several times over; the weights are the mean of those after each page."""
        known = [(features_of(nodes, self.size), np.array(labels, np.int64)) for nodes, labels in pages if nodes]
        weights, steps = np.zeros(self.size), np.zeros((2, 2))
        sums, step_sums, count = np.zeros(self.size), np.zeros((2, 2)), 0
        for _ in range(self.rounds):
            for features, labels in known:
                found = _best_labels(weights[features].sum(axis=1), steps)
                for row in np.flatnonzero(found != labels).tolist():
                    weights[features[row]] += 2 * labels[row] - 1
                weights[0] = 0
                np.add.at(steps, (labels[:-1], labels[1:]), 1)
                np.add.at(steps, (found[:-1], found[1:]), -1)
                sums += weights
                step_sums += steps
                count += 1
        self._weights, self._steps = sums / max(1, count), step_sums / max(1, count)

    def label(self, nodes: Sequence[TextNode]) -> list[bool]:
        """Which blocks of a page are text."""
        if not nodes:
            return []
        scores = self._weights[features_of(nodes, self.size)].sum(axis=1)
        return [bool(label) for label in _best_labels(scores, self._steps).tolist()]


def features_of(nodes: Sequence[TextNode], size: int) -> Features:
    """What is true of each block and of its neighbours, as numbers below `size`."""
    own = [_said(node) for node in (_OUTSIDE, _OUTSIDE, *nodes, _OUTSIDE, _OUTSIDE)]
    rows = np.zeros((len(nodes), _MOST_FEATURES), np.int64)
    for place in range(len(nodes)):
        row = [f"word {word}" for word in nodes[place].text.lower().split()[:_FIRST_WORDS]]
        row += [f"{step} {said}" for step in _NEIGHBOURS for said in own[place + 2 + step]]
        numbers = [1 + _hash(name) % (size - 1) for name in row[:_MOST_FEATURES]]
        rows[place, : len(numbers)] = numbers
    return rows


def _hash(name: str) -> int:
    return xxhash.xxh3_64_intdigest(name.encode("utf-8", "surrogatepass"))


def _said(node: TextNode) -> list[str]:
    """What a block says of itself to its neighbours."""
    words = node.text.split()
    length = sum(len(words) >= least for least in _LENGTHS)
    return [
        f"tag {node.tags[0] if node.tags else ''}",
        f"tags {'/'.join(node.tags[:_TAGS_ABOVE])}",
        f"length {length}",
        f"linked {node.linked} {length}",
        f"end {node.text[-1:] if not node.text[-1:].isalnum() else ''}",
        f"first {words[0].lower() if words else ''}",
    ]


def _best_labels(scores: npt.NDArray[np.float64], steps: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    """The labels 0 and 1 with the greatest sum of scores (for 1) and steps, by Viterbi's algorithm."""
    (stay, start), (end, go_on) = steps.tolist()
    none, text = 0.0, float(scores[0])
    back: list[tuple[bool, bool]] = []
    for score in scores[1:].tolist():
        back.append((text + end > none + stay, text + go_on > none + start))
        none, text = max(none + stay, text + end), score + max(none + start, text + go_on)
    labels = [text > none]
    for from_none, from_text in reversed(back):
        labels.append(from_text if labels[-1] else from_none)
    return np.array(labels[::-1], np.int64)
