"""How near are two words? The length of the way between their senses in a graph of broader terms.

Path similarity (R. Rada, 1989; as NLTK has it): 1 / (1 + d), d being the fewest steps from one sense up to a common
broader term and down to the other sense; of all pairs of senses the nearest counts. One sweep from a word gives its
distance to everything, which is thousands of times quicker than going pair by pair.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from haenyeo.words.stopwords import says_something
from haenyeo.words.tokens import stem, words

Nodes = npt.NDArray[np.int32]
_FAR = np.iinfo(np.int32).max // 4


class TermGraph:
    """Senses and their broader senses: node `children[i]` is a kind of node `parents[i]`.

    From node `rooted` on every node is taken to have one broadest term in common, above the highest it has.
    """

    def __init__(self, nodes: int, children: Nodes, parents: Nodes, *, rooted: int | None = None) -> None:
        self.nodes = nodes
        self._children, self._parents = children, parents
        self._rooted = nodes if rooted is None else rooted

    def senses(self, word: str) -> Sequence[int]:
        """The nodes a word may stand for."""
        raise KeyError(word)

    def terms(self, said: Sequence[str]) -> Sequence[str]:
        """The terms of a text, to be looked up with `senses`; here every word is a term."""
        return said

    def distances(self, nodes: Sequence[int]) -> Nodes:
        """The fewest steps from any of these nodes to every node."""
        best: Nodes = np.full(self.nodes, _FAR, np.int32)
        for node in nodes:
            np.minimum(best, self._sweep(node), out=best)
        return best

    def similarities(self, word: str) -> npt.NDArray[np.float64]:
        """The path similarity of a word to every node; 0 where no way leads."""
        steps = self.distances(self.senses(word))
        return np.where(steps >= _FAR, 0.0, 1 / (1.0 + steps))

    def _sweep(self, node: int) -> Nodes:
        steps = self._upwards(node)
        reached = steps.copy()
        self._spread(steps, self._parents, self._children)
        if node >= self._rooted:
            self._by_way_of_the_root(steps, int(reached[reached < _FAR].max()) + 1)
        return steps

    def _upwards(self, node: int) -> Nodes:
        steps: Nodes = np.full(self.nodes, _FAR, np.int32)
        steps[node] = 0
        self._spread(steps, self._children, self._parents)
        return steps

    @staticmethod
    def _spread(steps: Nodes, sources: Nodes, targets: Nodes) -> None:
        """One step costs 1 from each source to its target, until nothing gets nearer."""
        while True:
            offered = steps[sources] + 1
            nearer = offered < steps[targets]
            if not nearer.any():
                return
            np.minimum.at(steps, targets[nearer], offered[nearer])

    def _by_way_of_the_root(self, steps: Nodes, to_root: int) -> None:
        np.minimum(steps[self._rooted :], to_root + self._heights()[self._rooted :], out=steps[self._rooted :])

    def _heights(self) -> Nodes:
        """How far below the common root each node is: one step above the farthest of its broader terms."""
        if not hasattr(self, "_known_heights"):
            heights: Nodes = np.ones(self.nodes, np.int32)
            for node in np.unique(self._children[self._children >= self._rooted]).tolist():
                heights[node] = self._farthest(node) + 1
            self._known_heights = heights
        return self._known_heights

    def _farthest(self, node: int) -> int:
        seen, level, steps = {node}, [node], 0
        while level := [other for above in level for other in self._above(above) if other not in seen]:
            seen.update(level)
            steps += 1
        return steps

    def _above(self, node: int) -> list[int]:
        if not hasattr(self, "_broader"):
            self._broader: dict[int, list[int]] = {}
            for child, parent in zip(self._children.tolist(), self._parents.tolist(), strict=True):
                self._broader.setdefault(child, []).append(parent)
        return self._broader.get(node, [])


class Ontology(TermGraph):
    """A user's own terms: a table that gives the broader terms of each.

    A term may have several words, and is known again in any inflection, in Korean with any particle.
    """

    def __init__(self, table: Mapping[str, Sequence[str]]) -> None:
        named = [(_stems(key), [_stems(other) for other in above]) for key, above in table.items()]
        terms = dict.fromkeys(term for key, above in named for term in (key, *above))
        self._numbers = {" ".join(term): number for number, term in enumerate(terms)}
        self._longest = max(map(len, terms), default=1)
        edges = [(" ".join(key), " ".join(other)) for key, above in named for other in above]
        children = np.array([self._numbers[child] for child, _ in edges], np.int32)
        parents = np.array([self._numbers[parent] for _, parent in edges], np.int32)
        super().__init__(len(terms), children, parents)

    def senses(self, word: str) -> Sequence[int]:
        """A term has one sense."""
        number = self._numbers.get(word)
        if number is None:
            number = self._numbers.get(" ".join(_stems(word)))
        return () if number is None else (number,)

    def terms(self, said: Sequence[str]) -> list[str]:
        """The words of a text, those that make up a term joined, the longest term first."""
        stems = [stem(word) for word in said]
        found: list[str] = []
        place = 0
        while place < len(stems):
            length = next((n for n in range(self._longest, 1, -1) if self._is_term(stems[place : place + n], n)), 1)
            found.append(" ".join(stems[place : place + length]))
            place += length
        return found

    def _is_term(self, stems: list[str], length: int) -> bool:
        return len(stems) == length and " ".join(stems) in self._numbers


def _stems(term: str) -> tuple[str, ...]:
    said = words(term)
    return tuple(stem(word) for word in said if says_something(word)) or tuple(said) or (term.strip().lower(),)
