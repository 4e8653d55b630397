"""Pages that a shard lets all others learn from: the user's examples, and the first pages of a collection.

While little is known, a single page changes what all links are worth, and counts that are summed now and then come too
late. So every shard learns from the first pages of all as if it had fetched them itself. They are evidence, not links:
one that is lost in a kill is missed by nobody.
"""

from __future__ import annotations

import msgspec

from haenyeo.cluster.messages import ShardBatch, encode, packed
from haenyeo.cluster.ties import Ties
from haenyeo.collect.adapters.archive import body_of
from haenyeo.collect.adapters.finding.finder import Finder, HeardPage
from haenyeo.collect.crawl.parts import Parts
from haenyeo.collect.events import PageVisited
from haenyeo.html.urls import url_hash
from haenyeo.model.pages import Url
from haenyeo.model.visits import Found, Outcome
from haenyeo.store import Store

FIRST_PAGES = 400  # of a collection, from which all shards learn
MOST_COPIES = 20_000  # of pages sent to a shard, in all: with very many shards fewer pages are sent
EXAMPLES = "shard examples"
"""The part under whose name the store has the example pages that other shards have sent; the key is the address."""

_NOTHING_THERE = frozenset({Outcome.GONE, Outcome.ERROR, Outcome.USELESS})
_heard = msgspec.msgpack.Decoder(HeardPage)


class PagesTold:
    """Sends pages of one shard to the `others`, and takes theirs in; the first pages only if they learn from them."""

    def __init__(self, store: Store, ties: Ties, others: list[int], *, learning: bool) -> None:
        self._store, self._ties, self._others = store, ties, others
        self._most = min(FIRST_PAGES, MOST_COPIES // max(1, len(others))) if learning else 0
        self._fetched = 0
        self._examples: list[Url] = []
        self._visited: list[PageVisited] = []

    @property
    def are_first(self) -> bool:
        """Whether the collection has so few pages that all shards learn from each."""
        return self._fetched < self._most

    def hear_total(self, fetched: int) -> None:
        """All shards together have fetched so many pages."""
        self._fetched = max(self._fetched, fetched)

    def note(self, event: PageVisited) -> None:
        """A page was fetched here."""
        if event.example:
            if event.outcome is Outcome.PAGE:
                self._examples.append(event.url)
        elif self.are_first and (event.found is Found.NEW or event.outcome in _NOTHING_THERE):
            self._visited.append(event)

    def take_up(self, parts: Parts) -> None:
        """Teach the examples that other shards have fetched before, and let them have those that are here."""
        for _, value in self._store.states(EXAMPLES):
            parts.finder.hear_page(_heard.decode(value))
        self._examples = [
            url for url in parts.finder.examples() if parts.queue.is_ours(url) and self._store.page(url) is not None
        ]

    def receive(self, finder: Finder, page: HeardPage) -> None:
        """Learn from a page that another shard has fetched; examples are kept."""
        if finder.is_example(page.url):
            self._store.put_state(EXAMPLES, page.url, encode(page))
        finder.hear_page(page)

    async def send(self) -> None:
        """Let all others have what was noted since the last time; examples are sent until they are taken."""
        examples, self._examples = self._examples, []
        for url in examples:
            page = self._read(url)
            if page is not None and not await self._send([page], "example"):
                self._examples.append(url)
        visited, self._visited = self._visited, []
        if first := [page for page in map(self._told, visited) if page is not None]:
            await self._send(first, "first")

    async def _send(self, pages: list[HeardPage], kind: str) -> bool:
        batch, name = packed(ShardBatch(pages=pages)), f"{kind}-{url_hash(pages[0].url):016x}"
        return all([await self._ties.send(shard, name, batch) for shard in self._others])

    def _told(self, event: PageVisited) -> HeardPage | None:
        """What others are told of a page; None if there is nothing to learn from it."""
        if event.outcome in _NOTHING_THERE:
            return HeardPage(event.url, depth=event.depth)
        return self._read(event.url, event.depth) if event.outcome is Outcome.PAGE else None

    def _read(self, url: Url, depth: int = 0) -> HeardPage | None:
        """A page as it was sent, and as it was read here."""
        page, visits = self._store.page(url), self._store.visits(url)
        found = body_of(self._store, visits[-1]) if page and visits else None
        if page is None or found is None:
            return None
        body, content_type = found
        return HeardPage(url, content_type, body, page.text, depth, page.title)
