"""How many new pages will a page open up? Learnt from what the pages chosen so far did open up.

Gains are rare and large: most pages open up nothing, and one list of a hundred is worth more than all of them. What
links like it have opened up (`LEADS`) is learnt on a scale that tames the large ones and promises too little, and it
knows only words and addresses it has met. So a Poisson regression weighs all evidence there is for a page, and how much
of its site and of its folder has been read already, against the gains of the pages that were chosen on such evidence. A
link that names the topic is taken to lead to a list of it until the crawl knows better.
"""

from __future__ import annotations

from collections import deque

import numpy as np

from haenyeo.find.learned.evidence import ASKED, KINDS, LEADS
from haenyeo.find.learned.features import TABLE
from haenyeo.find.learned.memory import NOBODY, Floats, Indexes, LinkMemory

_PLACES = 2  # a page's site and its folder
_SCALE = np.full(KINDS + _PLACES, 0.5)
_SCALE[LEADS] = 1.0
_USUAL = np.zeros(KINDS + _PLACES + 1)
_USUAL[[ASKED, LEADS]] = 1.0
_PULL = np.append(np.full(KINDS + _PLACES, 20.0), 0.1)  # how strongly weights are drawn to the usual ones; the offset
_FEWEST = 20  # outcomes to learn from
_MOST = 600
_LARGEST = 30.0  # pages; a gain beyond is not worth more
_LEAST = np.exp(-8.0)
_ROUNDS = 6
_LONGEST_STEP = 1.5
_LEAST_CURVATURE = 0.02


class Prospects:
    """Turns evidence into the number of new pages, better than those that wait, a page should open up.

    `others` are the weights that other crawls for the topic have found, used as long as there are none of its own.
    """

    def __init__(self) -> None:
        self._weights: Floats | None = None
        self.others: Floats | None = None
        self._rows: deque[Floats] = deque(maxlen=_MOST)
        self._page: deque[int] = deque(maxlen=_MOST)
        self._read = np.zeros(TABLE, np.int32)

    @property
    def known(self) -> bool:
        """Whether enough pages have been chosen to tell."""
        return self.weights is not None

    @property
    def own(self) -> Floats | None:
        """The weights learnt here, None if too few pages have been chosen."""
        return self._weights

    @property
    def weights(self) -> Floats | None:
        """The weights in use, None if too little is known."""
        return self.others if self._weights is None else self._weights

    def count(self, memory: LinkMemory) -> None:
        """Note how much has been read of each site and folder, but for the user's examples."""
        read = memory.fetched & ~memory.given
        self._read[:] = 0
        np.add.at(self._read, memory.site[read], 1)
        np.add.at(self._read, memory.folder[read], 1)

    def note(self, reference: int, number: int, evidence: Floats, memory: LinkMemory) -> None:
        """Note that a page was chosen, and the evidence it was chosen on."""
        site, folder = memory.site[number], memory.folder[number]
        row = np.empty(KINDS + _PLACES)
        row[:KINDS], row[KINDS], row[KINDS + 1] = evidence, self._read[site], self._read[folder]
        self._rows.append(row)
        self._page.append(reference)
        self._read[site] += 1
        self._read[folder] += 1

    def learn(self, memory: LinkMemory, gains: Floats) -> None:
        """Weigh the evidence anew by what the chosen pages have opened up."""
        numbers = memory.numbers_of(self._page)
        remembered = numbers != NOBODY
        if remembered.sum() < _FEWEST:
            return
        rows = _described(np.array(self._rows)[remembered])
        rows = np.hstack([rows, np.ones((len(rows), 1))])
        start = _USUAL if self._weights is None else self._weights
        self._weights = _fitted(rows, gains[numbers[remembered]].clip(0, _LARGEST), start)

    def gains(self, evidence: Floats, numbers: Indexes, memory: LinkMemory) -> Floats:
        """What pages should open up; only when it is `known`."""
        weights = _USUAL if self.weights is None else self.weights
        rows = np.empty((len(numbers), KINDS + _PLACES))
        rows[:, :KINDS] = evidence
        rows[:, KINDS] = self._read[memory.site[numbers]]
        rows[:, KINDS + 1] = self._read[memory.folder[numbers]]
        return _expected(_described(rows) @ weights[:-1] + weights[-1])

    def state(self) -> dict[str, Floats]:
        """What `restore` needs."""
        rows = np.array(self._rows).reshape(-1, KINDS + _PLACES)
        weights = np.zeros(0) if self._weights is None else self._weights
        return {"rows": rows, "page": np.array(self._page, np.int64), "weights": weights}

    def restore(self, state: dict[str, Floats]) -> None:
        """Become what another one was when it gave its state, but for what has been read: `count` that."""
        self._rows = deque(state["rows"], maxlen=_MOST)
        self._page = deque(map(int, state["page"]), maxlen=_MOST)
        self._weights = state["weights"].copy() if len(state["weights"]) else None


def _described(rows: Floats) -> Floats:
    """Evidence and how many pages were read, on the scales they are weighed on; in place."""
    rows[:, KINDS:] = -np.log1p(rows[:, KINDS:])
    rows *= _SCALE
    return rows


def _expected(logarithm: Floats) -> Floats:
    expected: Floats = np.exp(logarithm.clip(np.log(_LEAST), np.log(_LARGEST)))
    return expected


def _fitted(rows: Floats, gains: Floats, start: Floats) -> Floats:
    """Weights by Newton's method, in steps that are not too long: a large gain would throw it far off."""
    weights = start.copy()
    for _ in range(_ROUNDS):
        expected = _expected(rows @ weights)
        slope = rows.T @ (expected - gains) + _PULL * (weights - _USUAL)
        curve = np.maximum(expected, _LEAST_CURVATURE)
        step = np.linalg.solve((rows * curve[:, None]).T @ rows + np.diag(_PULL), slope)
        weights -= step * min(1.0, _LONGEST_STEP / max(float(np.abs(step).max()), _LONGEST_STEP))
    return weights
