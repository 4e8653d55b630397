"""What comes next: the links that wait and their scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from haenyeo.collect.adapters.finding.topic_view import TopicView, topic_view
from haenyeo.model.parts import Reason
from haenyeo.store import StoredLink
from haenyeo.web.desk import Desk

BINS = 20


class ScoredLink(NamedTuple):
    """A link that waits, and what it is worth now."""

    link: StoredLink
    score: float


def best_links(desk: Desk, limit: int, offset: int = 0) -> list[ScoredLink]:
    """The links with the highest scores, the best first, the first `offset` left out."""
    best = dict(desk.waiting.best(offset + limit)[offset:])
    with desk.reading() as store:
        return [ScoredLink(link, best[link.ref]) for link in store.links(list(best))]


def reasons_of(desk: Desk, links: Sequence[ScoredLink]) -> dict[int, Sequence[Reason]]:
    """What made each link worth its score, by its ref."""
    with desk.reading() as store:
        return desk.mind.why_links([shown.link for shown in links], store)


def links_by_score(desk: Desk) -> list[int]:
    """How many links have which score, in equal steps from 0 to 1."""
    counts, _ = np.histogram(desk.waiting.scores, bins=BINS, range=(0.0, 1.0))
    found: list[int] = counts.tolist()
    return found


def links_of_topic(desk: Desk, topic: str, most: int) -> TopicView | None:
    """The links that one topic would follow next; None if there is no such topic."""
    if topic not in desk.settings.topic:
        return None
    with desk.reading() as store:
        return topic_view(store, desk.settings, topic, most)
