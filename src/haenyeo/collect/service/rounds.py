"""A round over list pages: lists first, further pages next, then items; and another page where a repair needs one."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime

import msgspec

from haenyeo.collect.adapters.archive import archived_html
from haenyeo.collect.adapters.watching.new_rules import links_in, put_new_rule
from haenyeo.collect.adapters.watching.saved_rules import SavedRule
from haenyeo.collect.adapters.watching.sheets import Sheet, Taken, keep
from haenyeo.collect.adapters.watching.watchlist import WatchedPage, Watchlist
from haenyeo.collect.crawl.parts import Parts
from haenyeo.collect.visit.visitor import Visited
from haenyeo.html.parse import parse_html
from haenyeo.model.errors import PageError, UsageError
from haenyeo.model.pages import Url
from haenyeo.model.visits import Outcome
from haenyeo.watch.address_patterns import QUERY, template_of
from haenyeo.watch.paging import next_page
from haenyeo.watch.rules.examples import Example
from haenyeo.watch.rules.learn import SelectorSet, learn_rule, own_rule
from haenyeo.watch.rules.rule import Rule

CONFIRMING = 2
"""Further pages of a kind that are asked for to confirm a repair."""


class Lesson(msgspec.Struct, frozen=True, kw_only=True):
    """What a rule is to be learned from: a list page, example records if there are any, and how many pages to take.

    Of the items that the pages name, `items` at most are fetched too. `selectors` say where records and fields are, if
    the user has written them.
    """

    url: Url
    examples: Sequence[Example] = ()
    pages: int = 1
    items: int = 0
    selectors: SelectorSet | None = None


class Round:
    """Visits list pages and takes their records; no visit begins once `stopping` is set."""

    def __init__(self, parts: Parts, stopping: asyncio.Event | None = None) -> None:
        self._parts, self._store, self._shelf = parts, parts.store, parts.watch.shelf
        self._stopping = stopping

    async def visit_watched(self, watchlist: Watchlist, page: WatchedPage) -> list[Visited]:
        """Visit a watched page, or a result list with all its queries; the next visit is planned at the end.

        A page that cannot be asked for now stays due: its site needs rest, or the network is lost.
        """
        visits = []
        for url in page.addresses:
            visited = await self._visit(url)
            visits.append(visited)
            if not visited.asked:
                return visits
            page, told = watchlist.note(page, url, visited.answer, datetime.now(UTC))
            if told is not None:
                self._parts.events.tell(told)
            self._parts.watch.coordinator.visited(url, visited.answer, datetime.now(UTC))
            if visited.answer.outcome is Outcome.PAGE and QUERY in page.url and not self._shelf.for_page(url):
                self._learn_quietly(page.url, url)
            if not self._is_all_old(url, page.pages, visited):
                visits += await self._follow(url, page.pages)
            visits += await self._fetch_items(url, page.pages, page.items)
        watchlist.done(page, datetime.now(UTC))
        self._store.flush()
        return visits

    async def learn(self, lesson: Lesson) -> SavedRule:
        """A rule for the records of a list page, saved; its further pages are taken too."""
        visited = await self._visit(lesson.url)
        url = visited.answer.final_url
        html = archived_html(self._store, url) if visited.answer.outcome in (Outcome.PAGE, Outcome.UNCHANGED) else None
        if html is None:
            reason = visited.answer.reason or visited.answer.outcome.value
            raise PageError(f"{lesson.url} brought no page: {reason}", url=lesson.url, advice="check the address")
        rule = own_rule(html, lesson.selectors) if lesson.selectors else learn_rule(html, lesson.examples)
        if rule is None:
            raise UsageError(
                f"no records {'like the examples' if lesson.examples else 'in a list'} were found on {url}",
                advice="give one record's values as they stand in the page: --field title=... --field price=...",
            )
        saved = self._save(rule, url, url, html)
        for further in await self._follow(url, lesson.pages):
            if further.answer.outcome is Outcome.UNCHANGED:
                self._take_archived(further.answer.final_url)
        await self._fetch_items(url, lesson.pages, lesson.items)
        self._store.flush()
        return self._shelf.get(saved.name) or saved

    async def _visit(self, url: Url) -> Visited:
        """Visit a page; what it brought is in the archive when this returns."""
        visited = await self._parts.visitor.revisit(url, stopping=self._stopping)
        self._store.flush()
        return visited

    def _learn_quietly(self, pattern: str, url: Url) -> None:
        """A rule for a result list, found without examples, if it shows records."""
        html = archived_html(self._store, url)
        rule = learn_rule(html) if html else None
        if html and rule is not None:
            self._save(rule, pattern, url, html)

    def _save(self, rule: Rule, pattern: str, url: Url, html: str) -> SavedRule:
        now = datetime.now(UTC)
        made = put_new_rule(self._shelf, rule, Sheet(url, html, now), pattern=pattern)
        self._keep(made.taken, now)
        return made.saved

    async def _fetch_items(self, url: Url, pages: int, most: int) -> list[Visited]:
        """Visit items that so many pages of a list name and that were never fetched, `most` at the most, in order."""
        visits: list[Visited] = []
        for item in self._items(url, pages) if most else ():
            if len(visits) >= most or (self._stopping and self._stopping.is_set()):
                break
            known = self._store.page(item)
            if known is None or known.fetched_at is None:
                visits.append(await self._visit(item))
        return visits

    def _items(self, url: Url, pages: int) -> list[Url]:
        """What the pages of a list name, each item once."""
        items, here = self._shelf.item_map(), url
        named = items.found(here, self._links_on(here))
        for _ in range(pages - 1):
            after = self._after(here)
            if after is None:
                break
            named += items.found(after, self._links_on(after))
            here = after
        return named

    def _links_on(self, url: Url) -> list[str]:
        """The addresses in the records of a list page."""
        html = archived_html(self._store, url)
        rules = [saved.rule for saved in self._shelf.for_page(url)] if html else []
        return [link for rule in rules for link in links_in(rule, rule.extract(html or ""), url)]

    def _take_archived(self, url: Url) -> None:
        """Take the records of a page that was read before there was a rule for it, and has not changed since."""
        html, now = archived_html(self._store, url), datetime.now(UTC)
        if html is not None:
            self._keep(self._shelf.take(Sheet(url, html, now)), now)

    def _is_all_old(self, url: Url, pages: int, first: Visited) -> bool:
        """Whether a list's further pages need no look: its first page is as it was, and all is known and sure."""
        rules = self._shelf.for_page(url)
        if not rules:
            return True
        if first.answer.outcome is not Outcome.UNCHANGED or _pending(rules):
            return False
        further = self._after(url) if pages > 1 else None
        page = self._store.page(further) if further else None
        return further is None or (page is not None and page.fetched_at is not None)

    def _after(self, url: Url) -> Url | None:
        """The page of a list that comes after one that was visited."""
        html = archived_html(self._store, url)
        return next_page(parse_html(html, url), url) if html else None

    async def _follow(self, url: Url, pages: int) -> list[Visited]:
        """Go on to a list's further pages, and confirm repairs that are not sure yet."""
        visits: list[Visited] = []
        here: Url | None = url
        for _ in range(pages - 1):
            here = self._after(here) if here else None
            if here is None or here in {visited.answer.url for visited in visits}:
                break
            visits.append(await self._visit(here))
        for saved in _pending(self._shelf.for_page(url)):
            visits += await self._confirm(saved, url, {url, *(visited.answer.url for visited in visits)})
        return visits

    async def _confirm(self, saved: SavedRule, url: Url, visited: set[Url]) -> list[Visited]:
        """Look at other pages of the kind until the repair is confirmed or there are no more."""
        visits: list[Visited] = []
        kind = self._parts.watch.layouts.kind(template_of(url))
        for page in [page.url for page in kind.pages if page.url not in visited][:CONFIRMING]:
            current = self._shelf.get(saved.name)
            if current is None or current.pending is None:
                break
            visits.append(await self._visit(page))
            html = archived_html(self._store, page)
            now = datetime.now(UTC)
            if html and not current.holds_on(page):
                self._keep(self._shelf.confirm(current, Sheet(page, html, now)), now)
        return visits

    def _keep(self, taken: Taken, now: datetime) -> None:
        keep(self._store, taken, now)
        for change in taken.told:
            self._parts.events.tell(change)


def _pending(rules: Sequence[SavedRule]) -> list[SavedRule]:
    return [saved for saved in rules if saved.pending is not None]
