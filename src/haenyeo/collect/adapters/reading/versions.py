"""The texts of a page's stored versions."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from haenyeo.collect.adapters.archive import html_of, versions
from haenyeo.collect.adapters.reading.stored import StoredReader
from haenyeo.model.pages import Url
from haenyeo.model.registry import NO_OPTIONS, Options
from haenyeo.store import Store


class TextVersion(NamedTuple):
    """What a page said from a time on."""

    at: datetime
    text: str


def text_versions(store: Store, url: str, extractor: str, parts: Options = NO_OPTIONS) -> list[TextVersion]:
    """What a page said, version by version, each read with what its site has taught; none if it was never visited."""
    page = store.page(url)
    if page is None:
        return []
    reader = StoredReader(store, extractor, parts)
    found = ((visit.at, html_of(store, visit)) for visit in versions(store, url))
    return [TextVersion(at, reader.text(page.site, Url(page.url), html)) for at, html in found if html is not None]
