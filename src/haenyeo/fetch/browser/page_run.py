"""One page in the browser: its document is the answer we have, and whatever else it wants is asked for by us.

A page may ask with GET for scripts and data. Pictures, fonts and media are not loaded unless the settings say so, style
sheets come empty, frames, downloads, WebSockets and other methods not at all. How many requests it has had is counted,
whoever refused them.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

import msgspec

from haenyeo.html.urls import canonical, origin_of
from haenyeo.model.config import BrowserSettings
from haenyeo.model.pages import Url
from haenyeo.model.visits import Answer, Outcome

if TYPE_CHECKING:
    from playwright.async_api import Request, Route, WebSocketRoute

log = logging.getLogger(__name__)

Headers = tuple[tuple[str, str], ...]
AskPart = Callable[[Url, Headers], Awaitable[Answer]]
"""Asks for something that a page needs, with these headers, as any other request of the crawl is made."""

_PICTURES = frozenset({"image", "font", "media"})
_WANTED = frozenset({"script", "xhr", "fetch", "other"})
_PASSED_ON = ("accept", "accept-language")
_NOT_HANDED_ON = frozenset(
    {"content-encoding", "content-length", "transfer-encoding", "connection", "keep-alive", "set-cookie", "alt-svc"}
)
_FROM_DOCUMENT = ("content-security-policy", "content-type")


class PartCache:
    """Scripts that many pages of a site share, up to so many bytes; those asked for longest ago go first."""

    def __init__(self, most_bytes: int) -> None:
        self._most, self._size = most_bytes, 0
        self._kept: dict[str, Answer] = {}

    def get(self, url: str) -> Answer | None:
        """The answer if it is here."""
        found = self._kept.pop(url, None)
        if found is not None:
            self._kept[url] = found
        return found

    def put(self, answer: Answer) -> None:
        """Keep an answer."""
        if answer.outcome is not Outcome.PAGE or len(answer.body) > self._most // 4:
            return
        self._size += len(answer.body)
        self._kept[answer.url] = msgspec.structs.replace(answer, hops=answer.hops[-1:])
        while self._size > self._most:
            self._size -= len(self._kept.pop(next(iter(self._kept))).body)


class PageRun:
    """Answers the requests of one page; `asked` of them went to servers, `open` are being answered."""

    def __init__(self, document: Answer, ask: AskPart, settings: BrowserSettings, cache: PartCache) -> None:
        self._document, self._ask, self._settings, self._cache = document, ask, settings, cache
        self._given = False
        self.wanted = self.asked = self.open = 0

    async def answer(self, route: Route, request: Request) -> None:
        """Answer a request, or refuse it."""
        from playwright.async_api import Error

        self.open += 1
        try:
            await self._answer(route, request)
        except Error as error:  # the page or its browser has gone
            log.debug("%s: %s", request.url, error)
        finally:
            self.open -= 1

    @staticmethod
    async def refuse_socket(route: WebSocketRoute) -> None:
        """Close a WebSocket before it is opened."""
        await route.close(code=1008, reason="not allowed")

    async def _answer(self, route: Route, request: Request) -> None:
        if self._is_document(request):
            self._given = True
            await route.fulfill(status=200, headers=_document_headers(self._document), body=self._document.body)
            return
        if request.resource_type == "stylesheet":
            await route.fulfill(status=200, headers={"content-type": "text/css", **_ANY_ORIGIN}, body="")
            return
        answer = await self._part(request)
        if answer is None or not answer.hops:
            # A navigation that is aborted leaves the page as it is; one that is blocked would put another in its place.
            await route.abort("aborted" if request.is_navigation_request() else "blockedbyclient")
            return
        headers = {name: value for name, value in answer.hops[-1].headers if name.lower() not in _NOT_HANDED_ON}
        await route.fulfill(status=answer.status, headers=headers, body=answer.body)

    def _is_document(self, request: Request) -> bool:
        """Whether this is the page itself; where it goes from there by script is not followed."""
        return not self._given and request.is_navigation_request() and request.frame.parent_frame is None

    async def _part(self, request: Request) -> Answer | None:
        """What was answered to a request for a part of the page; None if it may not be asked for."""
        kinds = _WANTED | _PICTURES if self._settings.images else _WANTED
        url = canonical(request.url)
        if request.method != "GET" or request.resource_type not in kinds or url is None:
            return None
        self.wanted += 1
        known = self._cache.get(url)
        if known is not None:
            return known
        if self.asked >= self._settings.requests:
            return None
        self.asked += 1
        answer = await self._ask(url, self._headers(request))
        if request.resource_type == "script":
            self._cache.put(answer)
        return answer

    def _headers(self, request: Request) -> Headers:
        """What a server must know of the request, as browsers say it."""
        own = [(name.title(), request.headers[name]) for name in _PASSED_ON if name in request.headers]
        origin = origin_of(self._document.final_url)
        if origin_of(Url(request.url)) != origin and request.resource_type != "script":
            own.append(("Origin", origin))
        return tuple(own)


_ANY_ORIGIN = {"access-control-allow-origin": "*"}


def _document_headers(document: Answer) -> dict[str, str]:
    """The document's own headers, as far as they matter to its scripts."""
    told = {name: document.hops[-1].header(name) for name in _FROM_DOCUMENT} if document.hops else {}
    return {"content-type": document.content_type or "text/html", **{name: said for name, said in told.items() if said}}
