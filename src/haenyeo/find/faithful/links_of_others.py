"""What a topic makes of links on pages that another topic of the same crawl asked for.

Cho et al. (2005, section 5) put every link into the stack of each topic that it is likely to belong to, whatever page
it stands on; in which order the links of a stack are taken they leave open. What others ask for may be anywhere, and
among very many links some look good by accident: a topic that took the best of all would leave the part of the web
where it does well. So such links wait behind those that the topic has found itself, and one turn in so many goes to the
best of them, if it is as good as what the topic has followed lately. If that leads to a page of the topic, the page is
its own, and so are the links there; if not, it leaves no more trace than any page of another, and the next trial comes
twice as late.
"""

from __future__ import annotations

TRIED_EVERY = 12
"""Turns of a topic from one trial of such a link to the next, as long as trials succeed."""
SELDOMEST = 8 * TRIED_EVERY
BEHIND = 2.0**-12
"""What a score is multiplied with to be below all that a topic gives to links it has found itself, but nothing."""
_LATELY = 1 / TRIED_EVERY  # weight of the newest link in the mean of those followed lately
_MOST_REMEMBERED = 100_000


class LinksOfOthers:
    """The links, by the page they lead to, that a topic has seen on pages of others alone."""

    def __init__(self, scores: dict[int, float] | None = None) -> None:
        self.scores = scores or {}
        self._tried: set[int] = set()
        self._fetched: set[int] = set()
        self._turns, self._every = 0, TRIED_EVERY
        self._usual = 0.0

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
        """Another topic has asked for the page: no trial is needed, but a link of this topic may still lead there."""
        if len(self._fetched) >= _MOST_REMEMBERED:
            self._fetched.clear()
        self._tried.discard(target)
        self.scores.pop(target, None)
        self._fetched.add(target)

    def forget(self, target: int) -> bool:
        """The topic has found a link to the page itself, or has learnt from it; whether it was known from others."""
        was_fetched = target in self._fetched
        self._tried.discard(target)
        self._fetched.discard(target)
        return self.scores.pop(target, None) is not None or was_fetched

    def note_followed(self, score: float) -> None:
        """The topic has followed a link of its own that was worth so much."""
        self._usual += (score - self._usual) * (_LATELY if self._usual else 1.0)

    def end_turn(self) -> int | None:
        """The topic has had a turn: the page to try next, which is forgotten, when it is time and there is one."""
        self._turns += 1
        if self._turns < self._every or not self.scores:
            return None
        best = max(self.scores, key=self.scores.__getitem__)
        if self.scores[best] < self._usual:
            return None
        self._turns = 0
        del self.scores[best]
        self._tried.add(best)
        return best

    def was_tried(self, target: int) -> bool:
        """Whether the topic asked for a page for no better reason than such a link; this is forgotten."""
        found = target in self._tried
        self._tried.discard(target)
        return found

    def end_trial(self, *, failed: bool) -> None:
        """A page was tried: whether it is not the topic's decides how soon another one is."""
        self._every = min(2 * self._every, SELDOMEST) if failed else TRIED_EVERY
