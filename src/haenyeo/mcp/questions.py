"""What an agent may ask: each question opens the collection for reading, so a crawl may go on beside it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec

from haenyeo.collect.adapters.finding.explain import explain
from haenyeo.collect.adapters.reading.stored import StoredReader
from haenyeo.collect.adapters.watching.changes import restored
from haenyeo.collect.adapters.watching.shelf import Shelf
from haenyeo.collect.collection import Collection
from haenyeo.collect.overview import overview_of
from haenyeo.html.urls import meant_by
from haenyeo.mcp.bounds import LONGEST_TEXT, MOST_ITEMS, NOTICE, bounded, resource_of, short
from haenyeo.model.errors import NotThereError, UsageError
from haenyeo.model.pages import Url
from haenyeo.store import Store, StoredPage
from haenyeo.store.search import SearchQuery
from haenyeo.store.shards.opening import open_index

INDEX_SECONDS = 1.0

Told = dict[str, Any]
"""An answer, as JSON will have it."""


class Questions:
    """Answers about the collection in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def search(self, query: str, site: str = "", language: str = "", limit: int = 10) -> Told:
        """Pages whose text has all the words of the query; "words in quotes", begin* and -word are understood."""
        asked = SearchQuery(words=query, site=site, language=language, limit=max(1, min(limit, MOST_ITEMS)))
        with open_index(self._folder) as index:
            index.update(seconds=INDEX_SECONDS)
            found = index.find(asked)
        hits = [
            {
                "url": hit.url,
                "resource": resource_of(hit.url),
                "untrusted": {
                    "title": short(hit.title),
                    "snippet": "".join(piece for piece, _ in hit.snippet.pieces()),
                },
            }
            for hit in found.hits
        ]
        return {"notice": NOTICE, "total": found.total, "not_indexed_yet": found.unindexed, "hits": hits}

    def read_page(self, url: str, start: int = 0, length: int = 8000) -> Told:
        """The main text of a page as Markdown, `length` characters from `start` on; `next` is where to go on."""
        with Collection.open(self._folder, writing=False) as opened:
            page = known_page(opened.store, url)
            settings = opened.settings
            document = StoredReader(opened.store, settings.strategy.extractor, settings.parts).read(page)
        text = document.markdown or page.text
        start, end = max(0, start), max(0, start) + max(1, min(length, LONGEST_TEXT))
        return {
            "notice": NOTICE,
            "url": page.url,
            "kept": page.kept,
            "relevance": page.relevance,
            "language": page.language,
            "fetched_at": page.fetched_at.isoformat() if page.fetched_at else None,
            "characters": len(text),
            "start": start,
            "next": end if end < len(text) else None,
            "untrusted": {"title": short(page.title), "markdown": text[start:end]},
        }

    def why(self, url: str) -> Told:
        """What became of an address and why: kept, not kept, refused, failed, waiting or never found."""
        with Collection.open(self._folder, writing=False) as opened:
            answers = [explain(opened.store, opened.settings, address) for address in _addresses(url)]
        told = next((answer for answer in answers if answer.state not in ("unknown", "outside")), answers[-1])
        said = msgspec.to_builtins(told)
        theirs = {key: said.pop(key) for key in ("title", "opinions", "sources")}
        return {"notice": NOTICE, **bounded(said), "untrusted": bounded(theirs)}

    def changes(self, days: float = 7.0, kind: str = "", limit: int = 50) -> Told:
        """What changed in the last days, newest first: content, layout, repair, broken, relearn, trouble, back."""
        since = datetime.now(UTC) - timedelta(days=max(0.0, min(days, 36_500.0)))
        with Collection.open(self._folder, writing=False) as opened:
            events = [event for event in opened.store.events(since=since) if not kind or event.kind == kind]
            newest = events[::-1][: max(1, min(limit, MOST_ITEMS))]
            rows = [
                {"at": event.at.isoformat(), "kind": event.kind, "url": event.url, "untrusted": bounded(said)}
                for event in newest
                if (said := msgspec.to_builtins(restored(event))) is not None
            ]
        return {"notice": NOTICE, "total": len(events), "changes": rows}

    def records(self, rule: str = "", start: int = 0, limit: int = 50) -> Told:
        """The rules that take records from lists, or, with a rule's name, the records that it took."""
        with Collection.open(self._folder, writing=False) as opened:
            if not rule:
                counts = opened.store.row_counts()
                rules = [
                    {"rule": saved.name, "url": saved.url, "records": counts.get(saved.name, 0), "state": saved.state}
                    for saved in Shelf(opened.store)
                ]
                return {"rules": bounded(rules)}
            rows = [row.fields for row in opened.store.rows(rule)]
        start = max(0, start)
        some = rows[start : start + max(1, min(limit, MOST_ITEMS))]
        return {
            "notice": NOTICE,
            "rule": rule,
            "total": len(rows),
            "start": start,
            "untrusted": {"records": bounded(some)},
        }

    def status(self) -> Told:
        """What the collection holds, in numbers: pages, sites, links that wait, why pages were not read."""
        with Collection.open(self._folder, writing=False) as opened:
            told: Told = bounded(msgspec.to_builtins(overview_of(opened.store, opened.settings)))
        return told


def known_page(store: Store, url: str) -> StoredPage:
    """The page at an address; raises `NotThereError` if the collection has none."""
    for address in _addresses(url):
        page = store.page(address)
        if page is not None:
            return page
    raise NotThereError(f"the collection has no page at {short(url)}")


def _addresses(url: str) -> list[Url]:
    found = list(meant_by(url))
    if not found:
        raise UsageError(f"{short(url)!r} is not an http or https address")
    return found
