"""The sockets: what a replaceable part must be able to do, each named for the question it answers.

Parts are found by entry points (`haenyeo.scorers`, ...) and named in `[strategy]`, built-in ones like plug-ins.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

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


Permit = Callable[[Url], Awaitable[str]]
"""Asked before a redirect is followed; waits for the target's turn and returns "" to go on, or the reason not to."""
