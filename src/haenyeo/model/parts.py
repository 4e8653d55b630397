"""The sockets: what a replaceable part must be able to do, each named for the question it answers.

Parts are found by entry points (`haenyeo.scorers`, ...) and named in `[strategy]`, built-in ones like plug-ins.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Literal, Protocol

from haenyeo.model.pages import Link, Url
from haenyeo.model.visits import Answer, Validators


class LinkScorer(Protocol):
    """Which link is worth a visit?"""

    def score(self, links: Sequence[Link], depth: int) -> Sequence[float]:
        """The worth of each link of one page, 0 to 1; `depth` is the page's distance from the seeds."""
        ...

    def learn(self, links: Sequence[Link], relevant: float) -> None:
        """The page these links point to turned out to be this relevant."""
        ...


class Fetcher(Protocol):
    """What does the server answer?"""

    async def fetch(self, url: Url, validators: Validators | None, permit: Permit) -> Answer:
        """The answer, after redirects; each redirect's target is followed only when `permit` has let it pass."""
        ...


Goal = Literal["fresh", "capture"]
"""What revisits are spent on: copies that are fresh most of the time, or as many versions as possible."""


class RevisitPlanner(Protocol):
    """When is a page worth another look? Times are unix seconds; the state goes through `dump` and `load`."""

    def add(self, urls: Sequence[str], sites: Sequence[str], now: float) -> None:
        """These pages have just been read for the first time."""
        ...

    def due(self, now: float, limit: int) -> list[str]:
        """At most `limit` different pages to visit now, the most urgent first."""
        ...

    def observe(self, urls: Sequence[str], now: float, changed: Sequence[bool]) -> None:
        """These pages were visited; `changed` says of each whether it differs from the last visit."""
        ...

    def retire(self, urls: Sequence[str]) -> None:
        """These pages are gone and not to be visited again, unless they are added anew."""
        ...

    def dump(self) -> bytes:
        """All the planner knows."""
        ...

    def load(self, data: bytes) -> None:
        """Go on from what `dump` gave; raises `StoreError` when these bytes are another planner's."""
        ...


Permit = Callable[[Url], Awaitable[str]]
"""Asked before a redirect is followed; waits for the target's turn and returns "" to go on, or the reason not to."""
