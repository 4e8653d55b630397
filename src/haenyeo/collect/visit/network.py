"""Is the network there? When nothing answers any more it is our side that is cut off, and no page is to blame.

A request that got no answer says little: its site may be down. If another one is answered in the moment after, the
network is there. If not, sites that answered before are asked for their robots.txt, and when none of them answers
either the network is lost: nothing is asked but that, every few seconds, until one answers. Time is that of a clock
that is never set.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from itertools import islice

from haenyeo.collect.events import Listener, NetworkBack, NetworkLost
from haenyeo.html.urls import origin_of
from haenyeo.model.pages import Url
from haenyeo.model.visits import Answer, Outcome

NO_NETWORK = "no network"
"""The reason of an answer that did not come because the network is lost."""

A_MOMENT = 0.3  # seconds
FIRST_WAIT, LONGEST_WAIT = 1.0, 8.0  # seconds between two probes
MOST_KNOWN = 20  # sites of which nothing is known yet but that someone wants them
MOST_ANSWERED = 3  # sites probed, of those that answered last

Ask = Callable[[Url], Awaitable[Answer]]


class Network:
    """Knows whether anything answers.

    `ask` fetches an address outside of any pace, `tell` hears when the network is lost and back, and `known` are
    addresses to be probed as long as none has answered.
    """

    def __init__(self, ask: Ask, tell: Listener, known: Iterable[Url] = ()) -> None:
        self._ask, self._tell = ask, tell
        self._known = list(islice(dict.fromkeys(map(origin_of, known)), MOST_KNOWN))
        self._answered: list[str] = []
        self._answered_at = self._silent_at = float("-inf")
        self._lost_at: float | None = None
        self._one_at_a_time, self._heard = asyncio.Lock(), asyncio.Event()

    @property
    def lost(self) -> bool:
        """Whether nothing answers."""
        return self._lost_at is not None

    def answered(self, url: Url) -> None:
        """A server has answered, in whatever way."""
        origin, self._answered_at = origin_of(url), time.monotonic()
        self._heard.set()
        if origin not in self._answered[-1:]:
            self._answered = [*(each for each in self._answered if each != origin), origin][-MOST_ANSWERED:]
        if self._lost_at is not None:
            lost_at, self._lost_at = self._lost_at, None
            self._tell(NetworkBack(seconds=time.monotonic() - lost_at))

    async def cut_off(self, url: Url) -> bool:
        """A request to this address got no answer just now: is the network lost?"""
        failed_at = time.monotonic()
        async with self._one_at_a_time:
            if max(self._silent_at, self._answered_at) < failed_at and not await self._hears_something():
                await self._probe(url)
            return self._answered_at < failed_at

    async def _hears_something(self) -> bool:
        """Whether anything answers in the next moment."""
        self._heard.clear()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._heard.wait(), A_MOMENT)
        return self._heard.is_set()

    async def back(self, stopping: asyncio.Event) -> None:
        """Return when something answers again, or when it is time to stop; at once if the network is not lost."""
        if not self.lost:
            return
        works = [asyncio.ensure_future(self._until_back()), asyncio.ensure_future(stopping.wait())]
        try:
            await asyncio.wait(works, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for work in works:
                work.cancel()
            await asyncio.gather(*works, return_exceptions=True)

    async def _until_back(self) -> None:
        wait = FIRST_WAIT
        while self.lost:
            await asyncio.sleep(wait)
            wait = min(2 * wait, LONGEST_WAIT)
            async with self._one_at_a_time:
                if self.lost and time.monotonic() - self._silent_at >= FIRST_WAIT:
                    await self._probe()

    async def _probe(self, suspect: Url | None = None) -> None:
        """Ask the sites that answered last, all at once; the suspect if nobody knows any other."""
        began = time.monotonic()
        origins = self._answered or self._known or ([origin_of(suspect)] if suspect else [])
        works = {asyncio.ensure_future(self._ask(Url(f"{origin}/robots.txt"))) for origin in origins}
        try:
            while works and self._answered_at < began:
                done, works = await asyncio.wait(works, return_when=asyncio.FIRST_COMPLETED)
                for answer in (work.result() for work in done):
                    if answer.hops:
                        self.answered(answer.url)
        finally:
            for work in works:
                work.cancel()
            await asyncio.gather(*works, return_exceptions=True)
        if self._answered_at < began:
            self._be_lost(origins)

    def _be_lost(self, origins: list[str]) -> None:
        self._silent_at = time.monotonic()
        if self._lost_at is None:
            self._lost_at = self._silent_at
            self._tell(NetworkLost(tried=tuple(origins)))


def cut_off_answer(url: Url) -> Answer:
    """The answer in place of one that the lost network kept away; it is no one's fault and counts for nothing."""
    return Answer(url=url, final_url=url, outcome=Outcome.FAILED, reason=NO_NETWORK)
