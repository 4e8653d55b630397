"""When may a site be asked next?

Four things set the pace of a site; the slowest of them holds:

- the pause between the starts of two requests: the settings' `delay`, or a longer Crawl-delay of its robots.txt;
- a rest after each answer, as long as answers take of late, once they take three times as long as is normal for it;
- a back-off after a push-back (429, 503, any other 5xx, a connection reset), doubling with each in a row, a little
  longer by chance so that crawlers do not come back in step, and never shorter than the server's own Retry-After;
- a pause that every push-back lengthens and every good answer shortens a little, so that recovery is slow.

A request that hangs must not stop the others of its site. After `patience` seconds without the head of an answer its
turn may be lent to another request, a few times over; a site that hangs again and again is given less patience.
"""

from __future__ import annotations

import random

import msgspec

from haenyeo.model.config import PaceSettings
from haenyeo.model.visits import Answer

FIRST_BACK_OFF = 1.0
LONGEST_BACK_OFF = 300.0
MOST_JITTER = 0.5

FIRST_EXTRA_PAUSE = 0.5
LONGEST_EXTRA_PAUSE = 4.0
RECOVERY = 0.7
NO_PAUSE = 0.05

# Below this an answer is quick, whatever is normal: on a fast network doubling means nothing.
QUICK_SECONDS = 0.5
SLOW_RATIO = 3.0
NEW_WEIGHT = 0.3
# What is normal follows quicker answers soon and slower ones late, or a slow hour would pass for normal.
SLOWER_WEIGHT = 0.02

PATIENCE = 3.0
LITTLE_PATIENCE = 1.0
HUNG_OFTEN = 2
MOST_HANGING = 10

_MOST_SITES = 100_000
_FORGET_SECONDS = 3600.0


class _Site(msgspec.Struct):
    """What is known of a site's pace; times in unix seconds."""

    crawl_delay: float = 0.0
    asked_at: float = 0.0
    ready_at: float = 0.0
    extra_pause: float = 0.0
    push_backs: int = 0
    normal: float = 0.0
    recent: float = 0.0
    hung_in_a_row: int = 0
    hanging: int = 0


class Pace:
    """Keeps the pace of every site. It reads no clock: callers say what time it is."""

    def __init__(self, settings: PaceSettings, chance: random.Random) -> None:
        self._settings, self._chance = settings, chance
        self._sites: dict[str, _Site] = {}

    def heed(self, site: str, crawl_delay: float | None) -> None:
        """Keep to the site's Crawl-delay from its last request on, up to the settings' `max_delay`."""
        wanted = min(crawl_delay or 0.0, self._settings.max_delay)
        if wanted or site in self._sites:
            state = self._site(site)
            state.crawl_delay = wanted
            if state.asked_at:
                state.ready_at = max(state.ready_at, state.asked_at + wanted)

    def asked(self, site: str, now: float) -> float:
        """Note that a request starts now; returns the earliest time at which the next one may start."""
        if len(self._sites) >= _MOST_SITES:
            self._forget(now)
        state = self._site(site)
        pause = max(self._settings.delay, state.crawl_delay, state.extra_pause)
        state.asked_at = now
        state.ready_at = max(state.ready_at, now + pause)
        return state.ready_at

    def answered(self, site: str, answer: Answer, now: float) -> float:
        """Note how a request ended; returns when the site may be asked next."""
        state = self._site(site)
        if answer.retryable:
            self._back_off(state, answer.retry_after or 0.0, now)
        elif answer.status:
            self._go_on(state, answer.seconds / len(answer.hops), now)
        return state.ready_at

    def ready_at(self, site: str) -> float:
        """When the site may be asked next."""
        state = self._sites.get(site)
        return state.ready_at if state else 0.0

    def patience(self, site: str) -> float:
        """How many seconds a request may go without an answer before its turn is lent to another."""
        state = self._sites.get(site)
        return LITTLE_PATIENCE if state and state.hung_in_a_row >= HUNG_OFTEN else PATIENCE

    def lend(self, site: str) -> bool:
        """Whether another request may take the turn of one that hangs; if not, try again in `patience` seconds.

        Each turn lent is to be given back with `give_back` when the request that hung has ended.
        """
        state = self._site(site)
        if state.hanging >= MOST_HANGING:
            return False
        state.hanging += 1
        state.hung_in_a_row += 1
        return True

    def give_back(self, site: str) -> None:
        """Note that a request whose turn was lent has ended."""
        state = self._site(site)
        state.hanging = max(0, state.hanging - 1)

    def _site(self, site: str) -> _Site:
        state = self._sites.get(site)
        if state is None:
            state = self._sites[site] = _Site()
        return state

    def _back_off(self, state: _Site, retry_after: float, now: float) -> None:
        wait = min(FIRST_BACK_OFF * 2**state.push_backs, LONGEST_BACK_OFF)
        state.push_backs = min(state.push_backs + 1, 30)
        wait = max(wait, retry_after) + wait * self._chance.uniform(0.0, MOST_JITTER)
        state.ready_at = max(state.ready_at, now + wait)
        state.extra_pause = min(max(2 * state.extra_pause, FIRST_EXTRA_PAUSE), LONGEST_EXTRA_PAUSE)

    def _go_on(self, state: _Site, seconds: float, now: float) -> None:
        state.push_backs = state.hung_in_a_row = 0
        state.extra_pause = state.extra_pause * RECOVERY if state.extra_pause > NO_PAUSE else 0.0
        if not state.normal:
            state.normal = state.recent = seconds
        state.recent += NEW_WEIGHT * (seconds - state.recent)
        state.normal += (NEW_WEIGHT if seconds < state.normal else SLOWER_WEIGHT) * (seconds - state.normal)
        if state.recent > max(QUICK_SECONDS, SLOW_RATIO * state.normal):
            state.ready_at = max(state.ready_at, now + min(state.recent, self._settings.max_delay))

    def _forget(self, now: float) -> None:
        """Forget sites that have not been asked for a long time, except for their Crawl-delay."""
        for name, state in list(self._sites.items()):
            if state.ready_at < now - _FORGET_SECONDS and not state.hanging:
                del self._sites[name]
