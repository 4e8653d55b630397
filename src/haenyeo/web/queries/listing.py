"""Lists of pages: newest, best, or what a search has found."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import msgspec
import numpy as np

from haenyeo.model.pages import KINDS
from haenyeo.store import ListedPage
from haenyeo.store.search import Hits, SearchQuery, Snippet
from haenyeo.web.desk import Desk

LEAD = 220  # characters of a page shown when nothing was searched for


class PageRow(msgspec.Struct, frozen=True, kw_only=True):
    """A page in a list."""

    id: int
    url: str
    title: str
    site: str
    language: str
    kind: str
    relevance: dict[str, float]
    changed_at: datetime | None
    kept: bool
    snippet: Snippet

    @property
    def best(self) -> float | None:
        """The relevance for the topic it fits best."""
        return max(self.relevance.values(), default=None)


class PageQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """Which pages are wanted: words to search for, filters, order, and which part of the list."""

    q: str = ""
    site: str = ""
    language: str = ""
    kind: str = ""
    topic: str = ""
    since: str = ""
    sort: str = "newest"
    kept: str = "yes"
    offset: int = 0
    limit: int = 20

    @property
    def day(self) -> datetime | None:
        """The time from which on pages are wanted."""
        try:
            return datetime.fromisoformat(self.since).replace(tzinfo=UTC)
        except ValueError:
            return None


class PageListing(msgspec.Struct, frozen=True, kw_only=True):
    """A part of a list; `total` is the least there are when `more` is set."""

    rows: Sequence[PageRow]
    total: int
    more: bool = False
    milliseconds: float | None = None


def listing(desk: Desk, question: PageQuestion) -> PageListing:
    """The pages that were asked for."""
    return _found(desk, question) if question.q else _browsed(desk, question)


def listed(desk: Desk, numbers: Sequence[int]) -> list[PageRow]:
    """The pages of these numbers, in this order."""
    with desk.reading() as store:
        return [_row(one) for one in store.listed_pages(numbers)]


def _found(desk: Desk, question: PageQuestion) -> PageListing:
    hits: Hits = desk.search(
        SearchQuery(
            words=question.q,
            site=question.site,
            language=question.language,
            kind=question.kind,
            topic=question.topic,
            since=question.day,
            kept_only=question.kept == "yes",
            offset=question.offset,
            limit=question.limit,
        )
    )
    rows = [
        PageRow(
            id=hit.page,
            url=hit.url,
            title=hit.title,
            site=hit.site,
            language=hit.language,
            kind=hit.kind,
            relevance=hit.relevance,
            changed_at=hit.changed_at,
            kept=hit.kept,
            snippet=hit.snippet,
        )
        for hit in hits.hits
    ]
    return PageListing(rows=rows, total=hits.total, more=hits.more, milliseconds=hits.milliseconds)


def _browsed(desk: Desk, question: PageQuestion) -> PageListing:
    """Without words: all pages that pass the filters, newest or best first."""
    columns = desk.columns
    table = columns.pages
    passing = table["kept"] if question.kept == "yes" else table["fetched"].copy()
    if question.site:
        number = next((number for number, name in desk.sites.items() if name == question.site), 0)
        passing = passing & (table["site"] == number)
    if question.language:
        known = question.language in columns.languages
        passing = passing & (table["language"] == (columns.languages.index(question.language) if known else -1))
    if question.kind:
        passing = passing & (table["kind"] == (KINDS.index(question.kind) if question.kind in KINDS else len(KINDS)))
    if question.day:
        passing = passing & (table["changed_us"] >= question.day.timestamp() * 1_000_000)
    order = np.flatnonzero(passing)
    keys = -table["relevance"][order] if question.sort == "best" else -table["changed_us"][order]
    order = order[np.argsort(keys, kind="stable")]
    shown = table["id"][order[question.offset : question.offset + question.limit]]
    return PageListing(rows=listed(desk, shown.tolist()), total=len(order))


def _row(page: ListedPage) -> PageRow:
    return PageRow(
        id=page.id,
        url=page.url,
        title=page.title,
        site=page.site,
        language=page.language,
        kind=page.kind,
        relevance=page.relevance,
        changed_at=page.changed_at,
        kept=page.kept,
        snippet=Snippet(text=_beginning(page.text)),
    )


def _beginning(text: str) -> str:
    return text[:LEAD].replace("\n", " ") + (" …" if len(text) > LEAD else "")
