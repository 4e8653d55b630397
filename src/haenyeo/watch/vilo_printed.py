"""Park, Oh & Lee 2002, table 2, to the letter: the modified Vilo search as its pseudocode has it.

The trie grows breadth first. When a token is put in below a node, (1) a child of the root with the same token is
deleted with all that hangs from it, and (2) nodes of the same token that wait in the queue are removed and never grown.
That keeps the pattern of the paper's example 2, which occurs exactly K times. A record that occurs more often is also
followed by itself K times: its first token is put in at the end of its own branch, and (1) deletes that branch. So the
longer a list is, the less of it is left. `vilo` reads the paper by what its text says instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from haenyeo.watch.layout import PageLayout
from haenyeo.watch.vilo import LEAST_DIFFERENT, MOST_TOKENS, TIMES, Pattern, Vilo, paper_tokens

MOST_NODES = 20_000
"""Nodes that are grown; a page that repeats one record for ever would have as many as it has tokens."""

_END = -1
"""`$`: the end of the page, and every token that is too rare."""
Places = npt.NDArray[np.int64]


class _Node:
    """A token in the trie, and the places behind its occurrences."""

    def __init__(self, token: int, places: Places) -> None:
        self.token, self.places = token, places
        self.children: dict[int, _Node] = {}


def printed_patterns(tokens: Sequence[str], times: int = TIMES) -> frozenset[Pattern]:
    """The patterns that table 2 leaves in the trie, from the root to the leaves, with three different tokens each."""
    kept = tokens[:MOST_TOKENS]
    names = list(dict.fromkeys(kept))
    numbers = {name: number for number, name in enumerate(names)}
    sequence = np.array([*(numbers[token] for token in kept), _END], np.int64)
    often = np.bincount(sequence[:-1], minlength=len(names)) >= times
    sequence[:-1][~often[sequence[:-1]]] = _END
    root = _grown(sequence, len(names), times)
    found = (tuple(names[token] for token in path) for path in _paths(root))
    return frozenset(pattern for pattern in found if len(set(pattern)) >= LEAST_DIFFERENT)


def _grown(sequence: Places, tokens: int, times: int) -> _Node:
    """The trie of table 2; the comments name its lines."""
    root = _Node(_END, np.arange(len(sequence)))
    queue = [root]
    for _ in range(MOST_NODES):
        if not queue:
            break
        node = queue.pop(0)
        following = sequence[node.places]
        counts = np.bincount(following[following != _END], minlength=tokens)
        for token in np.flatnonzero(counts >= times).tolist():  # |Set(c)| >= K
            root.children.pop(token, None)  # delete NP in tree
            queue = [waiting for waiting in queue if waiting.token != token]  # remove character
            child = _Node(token, node.places[following == token] + 1)
            node.children[token] = child
            queue.append(child)
    return root


def _paths(root: _Node) -> Iterator[tuple[int, ...]]:
    """From the root to each leaf, depth first."""
    waiting: list[tuple[_Node, tuple[int, ...]]] = [(child, (child.token,)) for child in root.children.values()]
    while waiting:
        node, path = waiting.pop()
        if not node.children:
            yield path
        waiting += [(child, (*path, child.token)) for child in node.children.values()]


class ViloPrinted(Vilo):
    """The paper's watcher with the pseudocode of its table 2; `times` is its K."""

    def __init__(self, *, times: int = TIMES, merge_text: bool = False) -> None:
        super().__init__(times=times, merge_text=merge_text)

    def patterns(self, page: PageLayout) -> frozenset[Pattern]:
        """The patterns of a page."""
        return printed_patterns(paper_tokens(page.tokens, merge=self.merge_text), self.times)
