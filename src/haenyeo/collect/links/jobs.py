"""A link that was taken, and what a page's links amount to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec

from haenyeo.html.urls import site_of
from haenyeo.model.pages import Link, Url
from haenyeo.store import NewLink

NO_REF = -1  # of a visit to which no link led
SEED_DEPTH = -1  # of the page that seeds would stand on
NO_TOPIC = -1  # of a visit that is no topic's turn


class Job(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A link that was taken and is to be visited; `topic` is the number of the one whose turn it was."""

    ref: int
    url: Url
    site: str
    depth: int
    score: float
    topic: int = NO_TOPIC


class Offer(NamedTuple):
    """What a page's links amount to: the keys of all that may be followed, and the links never seen before.

    Where several topics look for pages, `worths` has what each new link is worth to each of them, below 0 if nothing;
    without it all value a link alike.
    """

    targets: list[int]
    new: list[NewLink]
    worths: Sequence[tuple[float, ...]] = ()

    def joined(self, other: Offer) -> Offer:
        """Both offers as one."""
        worths = [*self._worths(), *other._worths()] if self.worths or other.worths else ()
        return Offer(self.targets + other.targets, self.new + other.new, worths)

    def _worths(self) -> Sequence[tuple[float, ...]]:
        return self.worths or [()] * len(self.new)


NOTHING = Offer([], [])
Describe = Callable[[list[int]], list[Link]]
"""Gives the links at these positions of a page with the words around them."""
Score = Callable[[list[int]], Sequence[float]]
"""Gives the worth of the links at these positions."""
Split = Callable[[list[int]], list[tuple[float, ...]]]
"""Gives what the links at these positions are worth to each topic."""


def new_links(links: Sequence[Link], scores: Sequence[float]) -> list[NewLink]:
    """Links that are met for the first time, with these scores, as they are stored."""
    return [
        NewLink(link.url, site_of(link.url), score, link.anchor, link.before, link.after, link.path)
        for link, score in zip(links, scores, strict=True)
    ]


def named_job(url: Url, depth: int = 0) -> Job:
    """The job of visiting a page that someone named or that is known already: no link waits for it."""
    return Job(ref=NO_REF, url=url, site=site_of(url), depth=depth, score=1.0)
