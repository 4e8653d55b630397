"""A round over list pages: lists first, further pages of a list next, and another page where a repair needs one."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from datetime import UTC, datetime

import msgspec

from haenyeo.collect.adapters.archive import archived_html
from haenyeo.collect.adapters.watching.saved_rules import SavedRule, Version, key_field
from haenyeo.collect.adapters.watching.sheets import Sheet, Taken, keep
from haenyeo.collect.adapters.watching.watchlist import WatchedPage, Watchlist
from haenyeo.collect.crawl.parts import Parts
from haenyeo.collect.visit.visitor import Visited
from haenyeo.html.parse import parse_html
from haenyeo.html.urls import resolve, site_of
from haenyeo.model.errors import PageError, UsageError
from haenyeo.model.pages import Url
from haenyeo.model.visits import Outcome
from haenyeo.watch.address_patterns import QUERY, list_patterns, patterns_of, template_of
from haenyeo.watch.paging import next_page
from haenyeo.watch.rules.examples import Example
from haenyeo.watch.rules.learn import learn_rule
from haenyeo.watch.rules.rule import Row, Rule

CONFIRMING = 2
"""Further pages of a kind that are asked for to confirm a repair."""


class Lesson(msgspec.Struct, frozen=True, kw_only=True):
    """What a rule is to be learned from: a list page, example records if there are any, and how many pages to take."""

    url: Url
    examples: Sequence[Example] = ()
    pages: int = 1


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
            page = watchlist.note(page, url, visited.answer, datetime.now(UTC))
            if visited.answer.outcome is Outcome.PAGE and QUERY in page.url and not self._shelf.for_page(url):
                self._learn_quietly(page.url, url)
            visits += await self._follow(url, page.pages, visited)
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
        rule = learn_rule(html, lesson.examples)
        if rule is None:
            raise UsageError(
                f"no records {'like the examples' if lesson.examples else 'in a list'} were found on {url}",
                advice="give one record's values as they stand in the page: --field title=... --field price=...",
            )
        saved = self._save(rule, url, url, html)
        await self._follow(url, lesson.pages, visited)
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
        rows, now = rule.extract(html), datetime.now(UTC)
        further = next_page(parse_html(html, url), url)
        name = rule_name(pattern)
        known = self._shelf.get(name)
        version = Version(
            rule=msgspec.structs.replace(rule, version=known.rule.version + 1) if known else rule,
            at=now,
            url=url,
            why="learned",
        )
        saved = SavedRule(
            name=name,
            url=pattern,
            lists=list_patterns(pattern, [further] if further else ()),
            items=patterns_of(_links(rule, rows, url)),
            key=key_field(rule, rows),
            versions=(*(known.versions if known else ()), version),
        )
        self._keep(Taken(rows=saved.rows_of(rows, url), states=[self._shelf.put(saved)]), now)
        return saved

    async def _follow(self, url: Url, pages: int, first: Visited) -> list[Visited]:
        """Go on to a list's further pages, and confirm repairs that are not sure yet."""
        visits: list[Visited] = []
        rules = self._shelf.for_page(url)
        if not rules or (first.answer.outcome is Outcome.UNCHANGED and not _pending(rules)):
            return visits
        here: Url | None = url
        for _ in range(pages - 1):
            html = archived_html(self._store, here) if here else None
            here = next_page(parse_html(html, here), here) if here and html else None
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


def rule_name(url: str) -> str:
    """A short name for the rule of a list: its site and the words of its address."""
    words = re.findall(r"\w+", url.partition("://")[2].partition("/")[2].replace(QUERY, ""))
    site = site_of(Url(url.replace(QUERY, ""))).partition(":")[0]
    return "-".join([site, *words])[:80]


def _links(rule: Rule, rows: Sequence[Row], url: Url) -> list[str]:
    names = [name for name, field in rule.fields.items() if field.source == "href"]
    found = (resolve(url, row[name]) for row in rows for name in names if row.get(name))
    return [address.partition("#")[0] for address in found if address and site_of(address) == site_of(url)]


def _pending(rules: Sequence[SavedRule]) -> list[SavedRule]:
    return [saved for saved in rules if saved.pending is not None]
