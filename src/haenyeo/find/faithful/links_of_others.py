"""What a topic makes of links on pages that another topic of the same crawl asked for.

Cho et al. (2005, section 5) put every link into the stack of each topic that it is likely to belong to, whatever page
it stands on; in which order the links of a stack are taken they leave open. What others ask for may be anywhere, and
among very many links some look good by accident: a topic that took the best of all would leave the part of the web
where it does well, and a classifier that is all but certain of pages in a language it has no examples of would keep it
away. So such links wait behind those that the topic has found itself, and are taken once it has none left.
"""

from __future__ import annotations

BEHIND = 2.0**-12
"""What a score is multiplied with to be below all that a topic gives to links it has found itself, but nothing."""
_MOST_REMEMBERED = 100_000


class LinksOfOthers:
    """The links, by the page they lead to, that a topic has seen on pages of others alone."""

    def __init__(self, scores: dict[int, float] | None = None) -> None:
        self.scores = scores or {}
        self._fetched: set[int] = set()

    def note(self, target: int, score: float) -> float:
        """Remember a link that is worth `score` in itself; returns what it is worth for the time being."""
        if len(self.scores) >= _MOST_REMEMBERED:
            self.scores.clear()
        best = self.scores[target] = max(score, self.scores.get(target, 0.0))
        return best * BEHIND

    def waiting(self) -> dict[int, float]:
        """What each of them is worth for the time being."""
        return {target: score * BEHIND for target, score in self.scores.items()}

    def note_fetched(self, target: int) -> None:
        """Another topic has asked for the page, but a link of this topic may still lead there."""
        if len(self._fetched) >= _MOST_REMEMBERED:
            self._fetched.clear()
        self.scores.pop(target, None)
        self._fetched.add(target)

    def forget(self, target: int) -> bool:
        """The topic has found a link to the page itself, or has learnt from it; whether it was known from others."""
        was_fetched = target in self._fetched
        self._fetched.discard(target)
        return self.scores.pop(target, None) is not None or was_fetched
