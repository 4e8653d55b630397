"""Lists of pages: newest, best, or what a search has found."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from urllib.parse import urlencode

import msgspec
import numpy as np
from starlette.requests import Request
from starlette.responses import Response

from haenyeo.store import ListedPage
from haenyeo.store.search import Hits, SearchQuery, Snippet
from haenyeo.web.desk import Desk
from haenyeo.web.render import is_fragment, page

SHOWN = 20
LATEST_OFFSET = 10_000
LEAD = 220  # characters of a page shown when nothing was searched for


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """A page in a list."""

    id: int
    url: str
    title: str
    site: str
    language: str
    relevance: dict[str, float]
    changed_at: datetime | None
    kept: bool
    snippet: Snippet

    @property
    def best(self) -> float | None:
        """The relevance for the topic it fits best."""
        return max(self.relevance.values(), default=None)


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """What the user asked the list for."""

    q: str = ""
    site: str = ""
    language: str = ""
    topic: str = ""
    since: str = ""
    sort: str = "newest"
    kept: str = "yes"
    offset: int = 0
    limit: int = SHOWN

    def link(self, **changes: object) -> str:
        """The address of the same question with something changed."""
        return "/pages?" + urlencode(
            {key: value for key, value in (msgspec.structs.asdict(self) | changes).items() if value and key != "limit"}
        )

    @property
    def day(self) -> datetime | None:
        """The time from which on pages are wanted."""
        try:
            return datetime.fromisoformat(self.since).replace(tzinfo=UTC)
        except ValueError:
            return None


class Listing(msgspec.Struct, frozen=True, kw_only=True):
    """A part of a list; `total` is the least there are when `more` is set."""

    rows: Sequence[Row]
    total: int
    more: bool = False
    milliseconds: float | None = None


def pages(request: Request) -> Response:
    """The list, or only its rows when the search box asks."""
    desk: Desk = request.app.state.desk
    asked = asked_for(dict(request.query_params))
    found = listing(desk, asked)
    return page(
        request,
        "parts/pages.html" if is_fragment(request) else "pages.html",
        view="pages",
        asked=asked,
        found=found,
        shown=SHOWN,
        languages=sorted(filter(None, desk.columns.languages)),
        topics=list(desk.settings.topic),
        behind=desk.index_behind,
    )


def asked_for(given: dict[str, str]) -> Asked:
    """The question in an address; what makes no sense is left out."""
    known = {
        key: value.strip()
        for key, value in given.items()
        if key in Asked.__struct_fields__ and key not in ("offset", "limit")
    }
    offset = given.get("offset", "")
    asked = msgspec.convert(known, Asked)
    return msgspec.structs.replace(asked, offset=min(int(offset), LATEST_OFFSET) if offset.isdecimal() else 0)


def listing(desk: Desk, asked: Asked) -> Listing:
    """The pages that were asked for."""
    return _found(desk, asked) if asked.q else _browsed(desk, asked)


def listed(desk: Desk, numbers: Sequence[int]) -> list[Row]:
    """The pages of these numbers, in this order."""
    with desk.reading() as store:
        return [_row(one) for one in store.listed_pages(numbers)]


def _found(desk: Desk, asked: Asked) -> Listing:
    hits: Hits = desk.search(
        SearchQuery(
            words=asked.q,
            site=asked.site,
            language=asked.language,
            topic=asked.topic,
            since=asked.day,
            kept_only=asked.kept == "yes",
            offset=asked.offset,
            limit=asked.limit,
        )
    )
    rows = [
        Row(
            id=hit.page,
            url=hit.url,
            title=hit.title,
            site=hit.site,
            language=hit.language,
            relevance=hit.relevance,
            changed_at=hit.changed_at,
            kept=hit.kept,
            snippet=hit.snippet,
        )
        for hit in hits.hits
    ]
    return Listing(rows=rows, total=hits.total, more=hits.more, milliseconds=hits.milliseconds)


def _browsed(desk: Desk, asked: Asked) -> Listing:
    """Without words: all pages that pass the filters, newest or best first."""
    columns = desk.columns
    table = columns.pages
    passing = table["kept"] if asked.kept == "yes" else table["fetched"].copy()
    if asked.site:
        number = next((number for number, name in desk.sites.items() if name == asked.site), 0)
        passing = passing & (table["site"] == number)
    if asked.language:
        known = asked.language in columns.languages
        passing = passing & (table["language"] == (columns.languages.index(asked.language) if known else -1))
    if asked.day:
        passing = passing & (table["changed_us"] >= asked.day.timestamp() * 1_000_000)
    order = np.flatnonzero(passing)
    keys = -table["relevance"][order] if asked.sort == "best" else -table["changed_us"][order]
    order = order[np.argsort(keys, kind="stable")]
    shown = table["id"][order[asked.offset : asked.offset + asked.limit]]
    return Listing(rows=listed(desk, shown.tolist()), total=len(order))


def _row(page: ListedPage) -> Row:
    return Row(
        id=page.id,
        url=page.url,
        title=page.title,
        site=page.site,
        language=page.language,
        relevance=page.relevance,
        changed_at=page.changed_at,
        kept=page.kept,
        snippet=Snippet(text=_beginning(page.text)),
    )


def _beginning(text: str) -> str:
    return text[:LEAD].replace("\n", " ") + (" …" if len(text) > LEAD else "")
