"""When may a site be asked next, and which of its servers need rest?

Two ledgers are kept. A *site* (a registrable domain) is asked one request after the other:

- the pause between the starts of two requests: the settings' `delay`, or a longer Crawl-delay of a robots.txt of its.

A *server* (an origin: scheme, host and port) rests for itself, and the others of its site go on without it. The longest
of these holds:

- a rest after each answer, as long as answers take of late, once they take three times as long as is normal for it;
- a back-off after a push-back (429, 503, any other 5xx, a connection reset), doubling with each in a row, a little
  longer by chance so that crawlers do not come back in step, and never shorter than the server's own Retry-After (what
  one address alone asks for beyond a few minutes is not asked of the others before a second one says the same);
- a pause that every push-back lengthens and every good answer shortens a little, so that recovery is slow.

A request that hangs must not stop the others of its site. After `patience` seconds without the head of an answer its
turn may be lent to another request, a few times over; a server that hangs again and again is given less patience.
"""

from __future__ import annotations

import random

import msgspec

from haenyeo.model.config import PaceSettings
from haenyeo.model.visits import Answer

FIRST_BACK_OFF = 1.0
LONGEST_BACK_OFF = 300.0
MOST_JITTER = 0.5

# A Retry-After up to this is believed whoever says it; a longer one of a single address costs its server this rest.
LONGEST_FOR_ONE = 120.0
REST_FOR_ONE = 15.0

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

_MOST_KEPT = 100_000
_FORGET_SECONDS = 3600.0
_FORGET_EVERY = 60.0  # seconds; all that is kept is looked through


class _Site(msgspec.Struct, gc=False):
    """When a site was asked and may be asked next, in unix seconds."""

    crawl_delay: float = 0.0
    asked_at: float = 0.0
    ready_at: float = 0.0


class _Server(msgspec.Struct, gc=False):
    """How a server bears our requests; times in unix seconds."""

    rests_until: float = 0.0
    extra_pause: float = 0.0
    push_backs: int = 0
    normal: float = 0.0
    recent: float = 0.0
    hung_in_a_row: int = 0
    hanging: int = 0
    asked_at: float = 0.0
    wants_long: str = ""


class Pace:
    """Keeps the pace of every site and server. It reads no clock: callers say what time it is."""

    def __init__(self, settings: PaceSettings, chance: random.Random) -> None:
        self._settings, self._chance = settings, chance
        self._sites: dict[str, _Site] = {}
        self._servers: dict[str, _Server] = {}
        self._forgot_at = float("-inf")

    def heed(self, site: str, crawl_delay: float | None) -> None:
        """Keep to a Crawl-delay from the site's last request on, up to `max_delay`; of several the longest holds."""
        wanted = min(crawl_delay or 0.0, self._settings.max_delay)
        if not wanted:
            return
        state = self._site(site)
        state.crawl_delay = max(state.crawl_delay, wanted)
        if state.asked_at:
            state.ready_at = max(state.ready_at, state.asked_at + wanted)

    def asked(self, site: str, origin: str, now: float) -> float:
        """Note that a request starts now; returns the earliest time at which the site's next one may start."""
        full = len(self._sites) >= _MOST_KEPT or len(self._servers) >= _MOST_KEPT
        if full and not 0 <= now - self._forgot_at < _FORGET_EVERY:
            self._forget(now)
        state, server = self._site(site), self._server(origin)
        state.asked_at = server.asked_at = now
        state.ready_at = max(state.ready_at, now + max(self._settings.delay, state.crawl_delay))
        if server.extra_pause:
            server.rests_until = max(server.rests_until, now + server.extra_pause)
        return state.ready_at

    def answered(self, origin: str, answer: Answer, now: float) -> float:
        """Note how a request ended; returns until when the server rests."""
        server = self._server(origin)
        if answer.retryable:
            self._back_off(server, _asked_of_all(server, answer), now)
        elif answer.status:
            self._go_on(server, answer.seconds / len(answer.hops), now)
        return server.rests_until

    def ready_at(self, site: str) -> float:
        """When the site may be asked next."""
        state = self._sites.get(site)
        return state.ready_at if state else 0.0

    def rests_until(self, origin: str) -> float:
        """Until when a server rests, whenever its site may be asked."""
        server = self._servers.get(origin)
        return server.rests_until if server else 0.0

    def patience(self, origin: str) -> float:
        """How many seconds a request may go without an answer before its turn is lent to another."""
        server = self._servers.get(origin)
        return LITTLE_PATIENCE if server and server.hung_in_a_row >= HUNG_OFTEN else PATIENCE

    def lend(self, origin: str) -> bool:
        """Whether another request may take the turn of one that hangs; if not, try again in `patience` seconds.

        Each turn lent is to be given back with `give_back` when the request that hung has ended.
        """
        server = self._server(origin)
        if server.hanging >= MOST_HANGING:
            return False
        server.hanging += 1
        server.hung_in_a_row += 1
        return True

    def give_back(self, origin: str) -> None:
        """Note that a request whose turn was lent has ended."""
        server = self._server(origin)
        server.hanging = max(0, server.hanging - 1)

    def _site(self, site: str) -> _Site:
        state = self._sites.get(site)
        if state is None:
            state = self._sites[site] = _Site()
        return state

    def _server(self, origin: str) -> _Server:
        server = self._servers.get(origin)
        if server is None:
            server = self._servers[origin] = _Server()
        return server

    def _back_off(self, server: _Server, retry_after: float, now: float) -> None:
        wait = min(FIRST_BACK_OFF * 2**server.push_backs, LONGEST_BACK_OFF)
        server.push_backs = min(server.push_backs + 1, 30)
        wait = max(wait, retry_after) + wait * self._chance.uniform(0.0, MOST_JITTER)
        server.rests_until = max(server.rests_until, now + wait)
        server.extra_pause = min(max(2 * server.extra_pause, FIRST_EXTRA_PAUSE), LONGEST_EXTRA_PAUSE)

    def _go_on(self, server: _Server, seconds: float, now: float) -> None:
        server.push_backs = server.hung_in_a_row = 0
        server.wants_long = ""
        server.extra_pause = server.extra_pause * RECOVERY if server.extra_pause > NO_PAUSE else 0.0
        if not server.normal:
            server.normal = server.recent = seconds
        server.recent += NEW_WEIGHT * (seconds - server.recent)
        server.normal += (NEW_WEIGHT if seconds < server.normal else SLOWER_WEIGHT) * (seconds - server.normal)
        if server.recent > max(QUICK_SECONDS, SLOW_RATIO * server.normal):
            server.rests_until = max(server.rests_until, now + min(server.recent, self._settings.max_delay))

    def _forget(self, now: float) -> None:
        """Forget sites and servers that have not been asked for a long time."""
        self._forgot_at = now
        oldest = now - _FORGET_SECONDS
        self._sites = {name: state for name, state in self._sites.items() if state.ready_at >= oldest}
        self._servers = {
            origin: server
            for origin, server in self._servers.items()
            if server.hanging or max(server.rests_until, server.asked_at) >= oldest
        }


def _asked_of_all(server: _Server, answer: Answer) -> float:
    """For how many seconds an answer asks us to leave all of its server alone, and not just its address."""
    wanted = answer.retry_after or 0.0
    if wanted <= LONGEST_FOR_ONE or not answer.hops:
        return wanted
    alone = server.wants_long in ("", answer.final_url)
    server.wants_long = answer.final_url
    return REST_FOR_ONE if alone else wanted
