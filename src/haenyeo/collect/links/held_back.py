"""Links that are enqueued but may not be taken yet, and the topics that came to want them in the meantime."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from haenyeo.find.topic_frontiers import Revalue, TopicFrontiers

Group = tuple[Sequence[str], Sequence[int], Sequence[Sequence[float]]]
"""Links of one page: their sites, their refs, and what they are worth to each topic."""


class HeldBack:
    """What waits for its frontier while `holding`; it goes there in the order in which it came."""

    def __init__(self, frontier: TopicFrontiers) -> None:
        self.holding = False
        self._frontier = frontier
        self._groups: list[Group] = []
        self._joining: list[tuple[int, str, int, float]] = []

    def push(self, group: Group) -> None:
        """Let links wait in the frontier, or here."""
        if self.holding:
            self._groups.append(group)
        else:
            self._frontier.push_links(*group)

    def join(self, topic: int, site: str, ref: int, score: float) -> None:
        """Let a link wait for one more topic; if it may be one that is held back, once that is let go."""
        if self.holding:
            self._joining.append((topic, site, ref, score))
        else:
            self._frontier.join(topic, site, ref, score)

    def rescore(self, topic: int, function: Revalue) -> None:
        """Score the links anew that are held back and that the topic wants."""
        self._groups = [(sites, refs, _revalued(refs, scores, topic, function)) for sites, refs, scores in self._groups]
        if not self._joining:
            return
        wanted = [each for each in self._joining if each[0] == topic]
        now = function(np.array([ref for _, _, ref, _ in wanted], np.int64), np.array([each[3] for each in wanted]))
        own = [(*each[:3], float(worth)) for each, worth in zip(wanted, now, strict=True)]
        self._joining = [*(each for each in self._joining if each[0] != topic), *own]

    def let_go_first(self) -> None:
        """Free the links that came first; the others stay."""
        if self._groups:
            self._frontier.push_links(*self._groups.pop(0))

    def let_go(self) -> bool:
        """Free everything; returns whether there was anything."""
        groups, joining = self._groups, self._joining
        self.holding, self._groups, self._joining = False, [], []
        for group in groups:
            self._frontier.push_links(*group)
        for each in joining:
            self._frontier.join(*each)
        return bool(groups or joining)


def _revalued(
    refs: Sequence[int], scores: Sequence[Sequence[float]], topic: int, function: Revalue
) -> list[Sequence[float]]:
    now = function(np.array(refs, np.int64), np.array(scores[topic], np.float64))
    own = [before if before < 0 else float(worth) for before, worth in zip(scores[topic], now, strict=True)]
    return [own if number == topic else others for number, others in enumerate(scores)]
