"""What are the links of a page worth to the topics that look for pages?"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import msgspec

from haenyeo.collect.adapters.finding.topics import UNSAID
from haenyeo.collect.links.jobs import Offer
from haenyeo.collect.links.queue import CrawlQueue
from haenyeo.html.page_links import PageLinks
from haenyeo.model.pages import Link, Url

REFUSED = -1.0
"""The worth of a link to a topic that does not want to follow it."""


class KeyedLinks(NamedTuple):
    """Where all links of a page lead, and the numbers these addresses are known by."""

    urls: Sequence[Url]
    keys: Sequence[int]


class ScoredLinks(msgspec.Struct, frozen=True, dict=True):
    """Links with what they are worth to each topic, and their places among all links of their page, which ascend."""

    links: Sequence[Link]
    places: Sequence[int]
    worths: Sequence[Sequence[float]]

    @cached_property
    def scores(self) -> Sequence[float]:
        """What each link is worth to the topic that values it most."""
        if len(self.worths) > 1:
            return list(map(max, *self.worths))
        return self.worths[0] if self.worths else [REFUSED] * len(self.links)

    def number_of(self, place: int) -> int | None:
        """Which of the links is at a place; None if the scorers did not see the one there."""
        number = bisect_left(self.places, place)
        return number if number < len(self.places) and self.places[number] == place else None

    def refused(self) -> set[int]:
        """The places of those no topic wants to follow."""
        if min(self.scores, default=0.0) >= 0:
            return set()
        return {place for place, score in zip(self.places, self.scores, strict=True) if score < 0}

    def offered(self, queue: CrawlQueue, depth: int, every: KeyedLinks, extra: Sequence[Url]) -> Offer:
        """What is new among `every` link of the page that is not refused, and among `extra`."""
        urls, keys = every
        refused = self.refused()
        kept = [place for place in range(len(urls)) if place not in refused] if refused else range(len(urls))
        followed = [*([urls[place] for place in kept] if refused else urls), *extra]
        followed_keys = [*([keys[place] for place in kept] if refused else keys), *queue.keys(extra)]

        def number(at: int) -> int | None:
            return self.number_of(kept[at]) if at < len(kept) else None

        def describe(places: Sequence[int]) -> list[Link]:
            numbers = [number(at) for at in places]
            described = iter(self._some([found for found in numbers if found is not None]))
            told = zip(places, numbers, strict=True)
            return [Link(url=followed[at]) if found is None else next(described) for at, found in told]

        def score(places: Sequence[int]) -> list[float]:
            return [UNSAID if (found := number(at)) is None else self.scores[found] for at in places]

        def split(places: Sequence[int]) -> list[tuple[float, ...]]:
            return [() if (at := number(place)) is None else self._worth_of(at) for place in places]

        return queue.offer_keys(followed_keys, depth, describe, score, split if len(self.worths) > 1 else None)

    def _some(self, numbers: list[int]) -> list[Link]:
        """Some of the links, those of a page described together."""
        links = self.links
        return links.some(numbers) if isinstance(links, PageLinks) else [links[number] for number in numbers]

    def _worth_of(self, number: int) -> tuple[float, ...]:
        return tuple(worth[number] for worth in self.worths)
