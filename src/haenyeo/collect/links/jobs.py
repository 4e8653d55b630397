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


class Job(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A link that was taken and is to be visited."""

    ref: int
    url: Url
    site: str
    depth: int
    score: float


class Offer(NamedTuple):
    """What a page's links amount to: the keys of all that may be followed, and the links never seen before."""

    targets: list[int]
    new: list[NewLink]

    def joined(self, other: Offer) -> Offer:
        """Both offers as one."""
        return Offer(self.targets + other.targets, self.new + other.new)


NOTHING = Offer([], [])
Describe = Callable[[list[int]], list[Link]]
"""Gives the links at these positions of a page with the words around them."""
Score = Callable[[list[int]], Sequence[float]]
"""Gives the worth of the links at these positions."""


def named_job(url: Url, depth: int = 0) -> Job:
    """The job of visiting a page that someone named or that is known already: no link waits for it."""
    return Job(ref=NO_REF, url=url, site=site_of(url), depth=depth, score=1.0)
