"""What is each link worth to each topic? Known by reference where a topic has said it; else the link's score holds."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from haenyeo.store import NewLink, StoredLink

UNCHANGED = -1.0
NOT_WANTED = -2.0  # by one of several topics


class TopicWorths:
    """The worth of links to so many topics, at 4 bytes a link and topic."""

    def __init__(self, topics: int) -> None:
        self._known = [array("f") for _ in range(topics)]

    def remember(self, topic: int, refs: npt.NDArray[np.int64], worth: npt.NDArray[np.float64]) -> None:
        """The topic values these links so from now on."""
        known = self._known[topic]
        missing = int(refs.max()) + 1 - len(known)
        if missing > 0:
            known.extend(array("f", [UNCHANGED]) * missing)
        np.frombuffer(known, np.float32)[refs] = worth

    def of(self, link: StoredLink, topic: int) -> float:
        """What a topic said last of a link, or else the score it was found with."""
        worth = self._known[topic]
        known = worth[link.ref] if link.ref < len(worth) else UNCHANGED
        return link.score if known == UNCHANGED else known

    def all_of(self, link: StoredLink) -> tuple[float, ...]:
        """What every topic said last of a link."""
        return tuple(self.of(link, topic) for topic in range(len(self._known)))

    def is_left_to_others(self, topic: int, ref: int) -> bool:
        """Whether a topic does not want a link that others want."""
        known = self._known[topic]
        return ref < len(known) and known[ref] == NOT_WANTED

    def by_topic(self, refs: range, links: Sequence[NewLink], worths: Sequence[tuple[float, ...]]) -> list[list[float]]:
        """What new links are worth, one list for each topic; remembered where it is not simply the links' scores.

        An empty tuple stands for a link that all topics value alike.
        """
        found = [link.score for link in links]
        topics = len(self._known)
        if not worths or topics == 1:
            return [found] * topics
        given = [own or (score,) * topics for own, score in zip(worths, found, strict=True)]
        each = [[NOT_WANTED if worth < 0 else worth for worth in column] for column in zip(*given, strict=True)]
        for topic, column in enumerate(each):
            self.remember(topic, np.array(refs, np.int64), np.array(column))
        return each
