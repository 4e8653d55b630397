"""The texts of a page's stored versions."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from haenyeo.collect.watching.archived import html_of, versions
from haenyeo.html.parse import parse_html
from haenyeo.model.pages import Url
from haenyeo.store import Store


class TextVersion(NamedTuple):
    """What a page said from a time on."""

    at: datetime
    text: str


def text_versions(store: Store, url: str) -> list[TextVersion]:
    """What a page said, version by version; of the last one the stored text, of earlier ones all blocks."""
    page = store.page(url)
    if page is None:
        return []
    found = []
    for visit in versions(store, url):
        html = html_of(store, visit)
        if html is not None:
            found.append(TextVersion(visit.at, parse_html(html, Url(visit.url)).text))
    return found
