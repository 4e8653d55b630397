"""Pages and result lists kept under watch: which, how often, and how they answered last.

A result list is an address with `{query}` in it and the queries to put there (Park, Oh & Lee 2002 watch a site by the
answers to fixed queries). The status of an answer is looked at first: an error is told as such, never as a change.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple
from urllib.parse import quote

import msgspec

from haenyeo.collect.adapters.watching.changes import PageBack, PageTrouble, stored
from haenyeo.html.urls import canonical
from haenyeo.model.errors import UsageError
from haenyeo.model.pages import Url
from haenyeo.model.visits import Answer, Outcome
from haenyeo.store import Store
from haenyeo.watch.address_patterns import QUERY

PART = "watched"
EVERY = timedelta(hours=6)
FINE = frozenset({Outcome.PAGE, Outcome.UNCHANGED, Outcome.DUPLICATE})


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """How one address answered last; `since` is when it began to answer like this."""

    url: Url
    outcome: Outcome
    status: int
    reason: str = ""
    at: datetime
    since: datetime

    @property
    def fine(self) -> bool:
        """Whether it brought or confirmed a page."""
        return self.outcome in FINE


class WatchedPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page or a result list under watch; `pages` of a list are looked at, as far as there are any.

    Of the items that the list names, `items` at most are fetched in a round, those that are not there yet. Lines that
    match one of the patterns in `ignore` do not count, nor changes of a smaller share of the text than `least`.
    """

    url: str
    queries: tuple[str, ...] = ()
    every_seconds: float = EVERY.total_seconds()
    pages: int = 2
    items: int = 0
    added_at: datetime
    next_at: datetime
    standings: tuple[Standing, ...] = ()
    ignore: tuple[str, ...] = ()
    least: float = 0.0

    @property
    def every(self) -> timedelta:
        """The time between two visits."""
        return timedelta(seconds=self.every_seconds)

    @property
    def addresses(self) -> list[Url]:
        """The addresses to visit: one for each query of a result list."""
        written = [self.url.replace(QUERY, quote(query)) for query in self.queries] if self.queries else [self.url]
        return [address for url in written if (address := canonical(url))]

    def standing(self, url: str) -> Standing | None:
        """How an address answered last."""
        return next((each for each in self.standings if each.url == url), None)


def watched_page(
    url: str, queries: Sequence[str], every: timedelta, pages: int, now: datetime, items: int = 0
) -> WatchedPage:
    """A page to be watched from now on; raises `UsageError` when its address cannot be visited."""
    if QUERY in url and not queries:
        raise UsageError(f"{url} has {QUERY} in it but there are no queries", advice="add --query WORDS, once for each")
    if queries and QUERY not in url:
        raise UsageError(f"there are queries but no {QUERY} in {url}", advice=f"write {QUERY} where the query goes")
    page = WatchedPage(
        url=url if QUERY in url else canonical(url) or url,
        queries=tuple(dict.fromkeys(queries)),
        every_seconds=every.total_seconds(),
        pages=pages,
        items=items,
        added_at=now,
        next_at=now,
    )
    if not page.addresses:
        raise UsageError(f"{url!r} is not an http or https address", advice="give it as https://example.org/page")
    return page


class NotedAnswer(NamedTuple):
    """The page with its new state, and what is to be told of its answer."""

    page: WatchedPage
    told: PageTrouble | PageBack | None


class Watchlist:
    """All that a collection keeps under watch."""

    def __init__(self, store: Store) -> None:
        self._store = store
        decoder = msgspec.json.Decoder(WatchedPage | None)
        found = {key: decoder.decode(value) for key, value in store.states(PART)}
        self._pages: dict[str, WatchedPage] = {key: page for key, page in found.items() if page is not None}

    def __iter__(self) -> Iterator[WatchedPage]:
        return iter(sorted(self._pages.values(), key=lambda page: (page.added_at, page.url)))

    def get(self, url: str) -> WatchedPage | None:
        """The page under watch at this address, as it was given or in its one spelling."""
        return self._pages.get(url) or self._pages.get(canonical(url) or "")

    def put(self, page: WatchedPage) -> None:
        """Take a page in, or its new state."""
        self._pages[page.url] = page
        self._store.put_state(PART, page.url, msgspec.json.encode(page))

    def remove(self, page: WatchedPage) -> None:
        """Watch a page no more."""
        del self._pages[page.url]
        self._store.put_state(PART, page.url, msgspec.json.encode(None))

    def due(self, now: datetime) -> list[WatchedPage]:
        """The pages whose time has come, or is further away than it can be unless the clock was set back."""
        return [page for page in self if not timedelta() < page.next_at - now <= page.every]

    def note(self, page: WatchedPage, url: Url, answer: Answer, now: datetime) -> NotedAnswer:
        """Remember how an address answered; what it began to do, to fail or to answer again, is stored and returned."""
        old = page.standing(url)
        new = Standing(url=url, outcome=answer.outcome, status=answer.status, reason=answer.reason, at=now, since=now)
        told: PageTrouble | PageBack | None = None
        if old is not None and old.fine == new.fine:
            new = msgspec.structs.replace(new, since=old.since)
        elif not new.fine:
            told = PageTrouble(url=url, status=new.status, reason=new.reason or new.outcome.value)
        elif old is not None:
            told = PageBack(url=url, status=new.status)
        if told is not None:
            self._store.add_event(stored(told, now))
        others = tuple(each for each in page.standings if each.url != url)
        page = msgspec.structs.replace(page, standings=(*others, new))
        self.put(page)
        return NotedAnswer(page, told)

    def done(self, page: WatchedPage, now: datetime) -> None:
        """The page's addresses have been visited: plan the next time."""
        self.put(msgspec.structs.replace(page, next_at=now + page.every))
