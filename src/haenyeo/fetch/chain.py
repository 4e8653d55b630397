"""Where does a redirect lead, and has the chain been there before?"""

from __future__ import annotations

import re
from urllib.parse import quote

from haenyeo.fetch.cookies import Cookies
from haenyeo.fetch.transport.exchange import Exchange
from haenyeo.fetch.transport.requests import Past
from haenyeo.fetch.transport.targets import Target, target_of
from haenyeo.html.urls import canonical, resolve
from haenyeo.model.errors import AddressError, FetchError, TooLargeError
from haenyeo.model.visits import Hop

MOST_REDIRECTS = 10
REDIRECTS = frozenset({301, 302, 303, 307, 308})

_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")


class Chain:
    """The exchanges of one fetch, first to last.

    `target` is what is asked for next, `past` what its request must know of those before, `seconds` the time spent.
    """

    def __init__(self, target: Target) -> None:
        self.target = target
        self.past = Past(secure=target.origin.scheme == "https")
        self.hops: list[Hop] = []
        self.seconds = 0.0
        self._tried: set[tuple[str, str]] = set()

    def trying(self, cookie: str) -> None:
        """Note that the target is asked for now with this Cookie header."""
        self._tried.add((self.target.url, cookie))

    def following(self, exchange: Exchange, cookies: Cookies, now: float) -> Target | None:
        """The target of the answer's redirect, None if it is no redirect; raises `PageError` for a bad target.

        A target is followed in its canonical spelling, unless the chain has been there: some servers will not go on
        without the session number that canonical addresses lack.
        """
        if exchange.hop.status not in REDIRECTS:
            return None
        if len(self.hops) > MOST_REDIRECTS:
            raise TooLargeError("redirected again and again", reason="too many redirects")
        for url in _spellings(self.target.url, exchange.fields.get("location")):
            target = target_of(url)
            if target and (target.url, cookies.header(target, now)) not in self._tried:
                return target
        raise FetchError("redirected to where the chain has been", reason="redirect loop")

    def go_to(self, target: Target) -> None:
        """Ask for this target next."""
        self.target = target
        self.past = Past(secure=self.past.secure or target.origin.scheme == "https")


def _spellings(base: str, location: str) -> list[str]:
    """The canonical and the literal address of a redirect; bytes beyond ASCII are escaped as they came."""
    if not location:
        raise FetchError("redirected without a Location", reason="redirect without location")
    escaped = _BEYOND_ASCII.sub(lambda match: quote(match[0], errors="surrogateescape"), location)
    literal = resolve(base, escaped)
    spelled = canonical(literal) if literal else None
    if literal is None or spelled is None:
        raise AddressError(f"redirected to {location[:200]!r}", reason="bad redirect")
    return [spelled, literal]
