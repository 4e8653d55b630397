"""Servers that say they are asked too fast."""

from __future__ import annotations

import time
from collections.abc import Callable
from email.utils import formatdate

from hostile.answers import in_turn, page
from hostile.crawl import Result
from hostile.pages import article
from hostile.server import Handler, Request, Wire
from hostile.stage import Cases, Expected, Stage

case = Cases()

TOO_MANY = "429 Too Many Requests"
UNAVAILABLE = "503 Service Unavailable"
GOOD = page(article("Page for the patient"))


def _waited(seconds: float) -> Callable[[Result], None]:
    def check(result: Result) -> None:
        first, second, *_ = (request.at for request in result.stage.host.asked("/x"))
        assert second - first >= seconds, f"asked again after {second - first:.2f} s"

    return check


def _then_good(stage: Stage, refusal: Handler, seconds: float) -> Expected:
    """The page comes with the second request, which must not come too soon."""
    stage.x(in_turn(refusal, GOOD))
    return Expected(read=("/x",), at_most={"/x": 3}, check=_waited(seconds))


@case("rate-429-secs")
def rate_429_secs(stage: Stage) -> Expected:
    """429 with Retry-After: 3, then the page."""
    return _then_good(stage, page("", "Retry-After: 3", status=TOO_MANY), 2.95)


@case("rate-429-date")
def rate_429_date(stage: Stage) -> Expected:
    """429 with the time at which to come back, then the page."""

    async def refuse(wire: Wire, request: Request) -> None:
        again = formatdate(time.time() + 4, usegmt=True)
        await page("", f"Retry-After: {again}", status=TOO_MANY)(wire, request)

    return _then_good(stage, refuse, 2.5)


@case("rate-429-none")
def rate_429_none(stage: Stage) -> Expected:
    """429 without Retry-After, then the page."""
    return _then_good(stage, page("", status=TOO_MANY), 0.95)


@case("rate-429-nonsense")
def rate_429_nonsense(stage: Stage) -> Expected:
    """429 with a Retry-After that means nothing, then the page."""
    return _then_good(stage, page("", "Retry-After: -5", "Retry-After: nan", status=TOO_MANY), 0.95)


@case("rate-429-huge")
def rate_429_huge(stage: Stage) -> Expected:
    """429 with a Retry-After of thirty years: that page waits, the others are read."""
    stage.x(page("", "Retry-After: 999999999", status=TOO_MANY))
    return Expected(unread=("/x",), at_most={"/x": 6})


@case("rate-503-secs")
def rate_503_secs(stage: Stage) -> Expected:
    """503 with Retry-After: 2, then the page."""
    return _then_good(stage, page("", "Retry-After: 2", status=UNAVAILABLE), 1.95)


@case("rate-503-always")
def rate_503_always(stage: Stage) -> Expected:
    """503 for ever."""
    stage.x(page(article("Back soon"), status=UNAVAILABLE))
    return Expected(fails=("/x",), at_most={"/x": 6})
