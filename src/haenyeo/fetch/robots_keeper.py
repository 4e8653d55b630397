"""What does a site's robots.txt say? Fetched once for each origin and kept for a day (RFC 9309, 2.3 and 2.4).

| answer to the request for robots.txt | rules |
| --- | --- |
| 2xx, whatever it is called; a file that is too large counts as far as it was read | those of the file |
| 4xx but 429 | everything is allowed |
| 429, 5xx, a broken or forbidden redirect, no whole answer | as before if known, else nothing is allowed for now |

What cannot be reached is tried again later, ever less often and not for ever.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from weakref import WeakValueDictionary

import msgspec

from haenyeo.fetch.bodies import CUT_SHORT
from haenyeo.fetch.client import Client
from haenyeo.fetch.robots import MAX_BYTES, Robots
from haenyeo.fetch.transport.requests import PRODUCT
from haenyeo.html.urls import origin_of
from haenyeo.model.errors import ForbiddenAddressError
from haenyeo.model.pages import Url
from haenyeo.model.visits import Answer, Hop, Outcome

KEPT_SECONDS = 86_400.0
LONGEST_FETCH_SECONDS = 15.0
MOST_ORIGINS = 4_000  # in memory; one to three kilobytes each
FORBIDDEN_SECONDS = 60.0
WAITS = (5.0, 25.0, 120.0, 600.0, 3600.0, 3600.0, 3600.0)
"""Seconds until an unreachable file is tried again, after the first failure, the second, ...; then no more that day."""

_EVERYTHING_ALLOWED = frozenset({*range(400, 500), 204, 205} - {429})


class _Kept(msgspec.Struct):
    """The rules of an origin: `until` when they hold, and how often in a row their file could not be reached.

    `unanswered_at` is when nothing at all came in answer, by a clock that is never set; `trouble` is why it could not.
    """

    robots: Robots | None
    until: float
    failures: int = 0
    unanswered_at: float = float("-inf")
    trouble: str = ""


class _Record(msgspec.Struct, frozen=True, array_like=True):
    """A file as it is carried over to the next run."""

    fetched_at: float
    text: bytes


class RobotsKeeper:
    """Knows the rules of every origin asked about, for one visitor.

    `archive` is given the requests that were answered; `clock` tells unix seconds. `put` is given each file that was
    fetched, under its origin, and `load` gives it back, in this run or another; only the rules of the origins met last
    are in memory.
    """

    def __init__(
        self,
        client: Client,
        agent: str = PRODUCT,
        *,
        archive: Callable[[Sequence[Hop]], None] = lambda _: None,
        load: Callable[[str], bytes | None] = lambda _: None,
        put: Callable[[str, bytes], None] = lambda _, __: None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._client, self._agent, self._archive, self._clock = client, agent, archive, clock
        self._load, self._put = load, put
        self._kept: dict[str, _Kept] = {}
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._shut = Robots.parse(b"User-agent: *\nDisallow: /\n", PRODUCT)

    async def rules(self, url: Url) -> Robots:
        """The rules for an address; its robots.txt is fetched if need be, by one caller while others wait."""
        origin = origin_of(url)
        kept = self._fresh(origin)
        if kept is None:
            lock = self._locks.setdefault(origin, asyncio.Lock())
            async with lock:
                kept = self._fresh(origin) or await self._fetch(origin)
        return kept.robots or self._shut

    def at_hand(self, origin: str) -> Robots | None:
        """The rules of an origin if they are known and still hold."""
        kept = self._fresh(origin)
        return kept.robots if kept else None

    def retry_at(self, url: Url) -> float | None:
        """When asking again may open an origin whose robots.txt could not be reached; None if there is no such hope."""
        kept = self._kept.get(origin_of(url))
        if kept is None or kept.robots is not None or kept.failures > len(WAITS):
            return None
        return kept.until

    def trouble(self, url: Url) -> str:
        """Why the origin's robots.txt could not be reached the last time."""
        kept = self._kept.get(origin_of(url))
        return kept.trouble if kept else ""

    def is_unanswered(self, url: Url, since: float) -> bool:
        """Whether nothing came in answer when the origin's robots.txt was asked for since a `time.monotonic()`."""
        kept = self._kept.get(origin_of(url))
        return kept is not None and kept.unanswered_at >= since

    def forgive(self, url: Url) -> None:
        """Ask for the origin's robots.txt again at the next call; used when our own network had failed."""
        kept = self._kept.get(origin_of(url))
        if kept is not None and kept.failures:
            kept.until, kept.failures = 0.0, kept.failures - 1

    def _fresh(self, origin: str) -> _Kept | None:
        kept = self._kept.get(origin) or self._stored(origin)
        return kept if kept is not None and self._clock() < kept.until else None

    def _stored(self, origin: str) -> _Kept | None:
        """What was put away for an origin, unless it is too old or dated in the future."""
        data = self._load(origin)
        if data is None:
            return None
        record = msgspec.msgpack.decode(data, type=_Record)
        if not record.fetched_at <= self._clock() < record.fetched_at + KEPT_SECONDS:
            return None
        return self._keep(origin, _Kept(Robots.parse(record.text, self._agent), record.fetched_at + KEPT_SECONDS))

    async def _fetch(self, origin: str) -> _Kept:
        text = wait = None
        answered, trouble = False, "timeout"
        try:
            async with asyncio.timeout(LONGEST_FETCH_SECONDS):
                answer = await self._client.fetch_file(Url(origin + "/robots.txt"), _anywhere, limit_bytes=MAX_BYTES)
                if answer.hops:
                    self._archive(answer.hops)
                if answer.reason == ForbiddenAddressError.reason and not answer.hops:
                    return self._forbidden(origin)
                text, wait, answered = rules_text(answer), answer.retry_after, bool(answer.hops)
                trouble = answer.reason
        except TimeoutError:
            pass
        if text is not None:
            return self._reached(origin, text)
        kept = self._unreachable(origin, wait or 0.0)
        kept.trouble = trouble
        if not answered:
            kept.unanswered_at = time.monotonic()
        return kept

    def _reached(self, origin: str, text: bytes) -> _Kept:
        now = self._clock()
        self._put(origin, msgspec.msgpack.encode(_Record(now, text)))
        return self._keep(origin, _Kept(Robots.parse(text, self._agent), now + KEPT_SECONDS))

    def _forbidden(self, origin: str) -> _Kept:
        """Rules that allow everything, for an origin that the guard forbids: the guard then refuses the page itself."""
        return self._keep(origin, _Kept(Robots.parse(b"", self._agent), self._clock() + FORBIDDEN_SECONDS))

    def _unreachable(self, origin: str, wait: float) -> _Kept:
        before = self._kept.get(origin)
        failures = before.failures + 1 if before and before.failures <= len(WAITS) else 1
        usual = WAITS[failures - 1] if failures <= len(WAITS) else KEPT_SECONDS
        until = self._clock() + max(usual, wait)
        return self._keep(origin, _Kept(before.robots if before else None, until, failures))

    def _keep(self, origin: str, kept: _Kept) -> _Kept:
        self._kept.pop(origin, None)
        while len(self._kept) >= MOST_ORIGINS:
            del self._kept[next(iter(self._kept))]
        self._kept[origin] = kept
        return kept


def rules_text(answer: Answer) -> bytes | None:
    """The rules an answer amounts to, or None if the file could not be reached."""
    if answer.outcome is Outcome.PAGE and answer.reason != CUT_SHORT:
        return answer.body
    return b"" if answer.status in _EVERYTHING_ALLOWED else None


def kept_text(record: bytes) -> bytes:
    """The robots.txt in what a keeper has put away, as it was received."""
    return msgspec.msgpack.decode(record, type=_Record).text


async def _anywhere(_: Url) -> str:
    """Permit every redirect of a robots.txt; the address guard still applies."""
    return ""
