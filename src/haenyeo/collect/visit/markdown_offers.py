"""Which servers have their pages in Markdown as well, and say so? From then on their pages are asked for in it.

A server says it on any page: `<link rel="alternate" type="text/markdown">`, or the same in a Link header. What it
answers then is its own choice; pages that come as HTML are read as ever.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from haenyeo.fetch.transport.requests import ACCEPT, Headers
from haenyeo.html.urls import origin_of
from haenyeo.model.pages import Url
from haenyeo.model.visits import Answer, Outcome

PART = "markdown"
"""The part under whose name the store has which servers offer it."""
HEAD_BYTES = 1 << 16
PREFERRED: Headers = (("Accept", f"text/markdown,{ACCEPT.replace('text/html', 'text/html;q=0.9', 1)}"),)

_LINK = re.compile(rb"<link\b[^>]{0,2000}>", re.IGNORECASE)
_TYPE = re.compile(rb"type\s?=\s?[\"']?text/markdown\b", re.IGNORECASE)
_ALTERNATE = re.compile(rb"rel\s?=\s?[\"']?[\w\s-]{0,40}\balternate\b", re.IGNORECASE)


class MarkdownOffers:
    """Remembers who offers Markdown; `load` and `put` keep it from one crawl to the next."""

    def __init__(self, load: Callable[[str], bytes | None], put: Callable[[str, bytes], None]) -> None:
        self._load, self._put = load, put
        self._known: dict[str, bool] = {}

    def headers(self, url: Url) -> Headers:
        """What a request for a page says besides the usual."""
        return PREFERRED if self._offers(origin_of(url)) else ()

    def hear(self, answer: Answer) -> None:
        """Take up what a page says of other forms of itself."""
        origin = origin_of(answer.final_url)
        if answer.outcome is Outcome.PAGE and not self._offers(origin) and _is_offered(answer):
            self._known[origin] = True
            self._put(origin, b"1")

    def _offers(self, origin: str) -> bool:
        if origin not in self._known:
            self._known[origin] = self._load(origin) is not None
        return self._known[origin]


def _is_offered(answer: Answer) -> bool:
    head = answer.body[:HEAD_BYTES]
    told = answer.hops[-1].header("link").encode(errors="replace") if answer.hops else b""
    links = [*told.split(b","), *(_LINK.findall(head) if b"text/markdown" in head else ())]
    return any(_TYPE.search(link) and _ALTERNATE.search(link) for link in links)
