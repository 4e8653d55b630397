"""Links that are enqueued but may not be taken yet, and the topics that came to want them in the meantime."""

from __future__ import annotations

from collections.abc import Sequence

from haenyeo.find.topic_frontiers import TopicFrontiers

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
