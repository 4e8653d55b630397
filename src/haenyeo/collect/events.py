"""What happens during a crawl, as typed values: the progress view, the log and the tests listen to the same."""

from __future__ import annotations

import logging
from collections.abc import Callable

import msgspec

from haenyeo.model.pages import Url
from haenyeo.model.visits import Found, Outcome

log = logging.getLogger(__name__)

VISITED = "redirect to a page that was visited"
_ANSWERS = frozenset({Outcome.PAGE, Outcome.DUPLICATE, Outcome.USELESS})


class Event(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Something that happened."""


class CrawlStarted(Event, frozen=True, kw_only=True):
    """A crawl began, or went on after a stop."""

    waiting: int
    collected: int


class PageVisited(Event, frozen=True, kw_only=True):
    """A page was asked for and what came of it is stored; `relevance` is that for the topic it fits best."""

    url: Url
    site: str
    outcome: Outcome
    reason: str = ""
    status: int = 0
    title: str = ""
    depth: int = 0
    kept: bool = False
    found: Found = Found.NEW
    relevance: float | None = None
    example: bool = False
    links: int = 0
    seconds: float = 0.0
    bytes: int = 0

    @property
    def counts(self) -> bool:
        """Whether it is one of the pages that were asked for: it brought an answer, and is no example to learn from."""
        return self.outcome in _ANSWERS and self.reason != VISITED and not self.example


class RetryPlanned(Event, frozen=True, kw_only=True):
    """A page will be asked for again."""

    url: Url
    site: str
    reason: str
    attempt: int
    wait: float


class SiteSlowed(Event, frozen=True, kw_only=True):
    """A site asked for patience, or seems to need it."""

    site: str
    reason: str
    delay: float


class PageBroke(Event, frozen=True, kw_only=True):
    """Our own code failed on a page; the traceback is in the log."""

    url: Url
    error: str


class Cause(msgspec.Struct, frozen=True, kw_only=True):
    """Why some links brought no page: how many, how many of them seeds, or pages given as examples, how many wait.

    Those that wait are to be asked again.
    """

    reason: str
    links: int
    seeds: int = 0
    given: int = 0
    waiting: int = 0
    example: Url
    advice: str = ""


class CrawlEnded(Event, frozen=True, kw_only=True):
    """The crawl is over; `why` is one of: budget, requests, time, done, stopped, waiting, network.

    `kept` counts the pages that belong to the collection as it stands now, `gained` how many more these are than
    before. `seeds_lost` says that no seed was ever read and that asking again will not help before something changes.
    """

    why: str
    visited: int
    kept: int
    gained: int = 0
    waiting: int
    requests: int = 0
    seconds: float
    seeds: int = 0
    seeds_read: int = 0
    seeds_lost: bool = False
    causes: tuple[Cause, ...] = ()


class RefreshEnded(Event, frozen=True, kw_only=True):
    """Refreshing is over; `found` counts visits by what they found, `requests` includes redirects.

    `fresh` is the share of the planner's `pages` that are expected to be up to date now, None if it cannot tell.
    """

    why: str
    visited: int
    changed: int
    found: dict[str, int]
    requests: int
    bytes: int
    seconds: float
    pages: int = 0
    fresh: float | None = None


class NetworkLost(Event, frozen=True, kw_only=True):
    """Nothing answers any more, not even the sites that were tried; everything waits."""

    tried: tuple[str, ...]


class NetworkBack(Event, frozen=True, kw_only=True):
    """Something answers again, after so many seconds; everything goes on."""

    seconds: float


class ClockSet(Event, frozen=True, kw_only=True):
    """The clock was set, or the machine slept: so many seconds are missing, or came twice if below 0."""

    seconds: float


class ServiceEnded(Event, frozen=True, kw_only=True):
    """The service is over; `collected` pages belong to the collection."""

    why: str
    seconds: float
    collected: int


Listener = Callable[[Event], None]


class Events:
    """Hands every event to every listener, in the order they were added."""

    def __init__(self) -> None:
        self._listeners: list[Listener] = []

    def listen(self, listener: Listener) -> None:
        """Call `listener` with every event from now on."""
        self._listeners.append(listener)

    def tell(self, event: Event) -> None:
        """Hand on one event."""
        if log.isEnabledFor(logging.DEBUG):
            log.debug("%s", event)
        for listener in self._listeners:
            listener(event)
