"""Who may ask? Every request passes here before anything else looks at it.

The dashboard shows private things and can start crawls, so it must hold against the web pages that are open in the same
browser: a name that leads to this machine (DNS rebinding) is told by its Host, a form or script of another page by its
Origin, and whoever has not seen the printed address lacks the token. Changes asked for with the cookie need the form's
own token as well. Numbers for whoever collects metrics on this machine are open.
"""

from __future__ import annotations

import hmac
import secrets
import time
from collections.abc import Callable, Iterable
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qsl, urlencode

import msgspec
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
CSRF_HEADER = "x-haenyeo-token"
OPEN = ("/static/", "/metrics")
COOKIE_SECONDS = 30 * 24 * 3600
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
    " frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "x-frame-options": "SAMEORIGIN",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
MOST_WRONG, WRONG_SECONDS = 100, 60.0
"""Wrong tokens that one address may try in so many seconds before nobody listens to it."""
MOST_REMEMBERED = 10_000

REFUSALS = {
    401: "This dashboard opens with the address that haenyeo serve has printed: it carries the key.",
    403: "This request came from another page or under another name, and was refused.",
    405: "This dashboard shows and changes nothing: it was started with --read-only.",
    429: "Too many wrong keys came from this address; try again in a minute.",
}


class Keys:
    """The secrets of one run: the token in the printed address, and the one that forms carry."""

    def __init__(self, token: str = "") -> None:
        self.token = token or secrets.token_urlsafe(24)
        self.form = hmac.digest(self.token.encode(), b"haenyeo form", "sha256").hex()

    def opens(self, given: str) -> bool:
        """Is this the token?"""
        return hmac.compare_digest(given.encode("utf-8", "replace"), self.token.encode())

    def fits_form(self, given: str) -> bool:
        """Is this what our own forms carry?"""
        return hmac.compare_digest(given.encode("utf-8", "replace"), self.form.encode())


class Entrance(msgspec.Struct, frozen=True, kw_only=True):
    """Under which names and how the dashboard may be asked beyond this machine.

    `secure` says that it is asked by https, of itself or by a proxy before it; `behind_proxy` that such a proxy names
    the visitor in X-Forwarded-For; `read_only` that nothing may be changed.
    """

    hosts: tuple[str, ...] = ()
    secure: bool = False
    behind_proxy: bool = False
    read_only: bool = False


class WrongKeys:
    """Counts wrong tokens by who gave them, for a minute."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._tried: dict[str, list[float]] = {}

    def are_too_many(self, visitor: str) -> bool:
        """Whether a visitor has tried too often."""
        return len(self._lately(visitor)) >= MOST_WRONG

    def note(self, visitor: str) -> None:
        """Remember a wrong token."""
        self._tried[visitor] = [*self._lately(visitor)[-MOST_WRONG:], self._clock()]
        while len(self._tried) > MOST_REMEMBERED:
            del self._tried[next(iter(self._tried))]

    def _lately(self, visitor: str) -> list[float]:
        since = self._clock() - WRONG_SECONDS
        return [moment for moment in self._tried.get(visitor, ()) if moment > since]


class Guard:
    """Lets a request pass, or answers in the application's place."""

    def __init__(self, app: ASGIApp, keys: Keys, hosts: Iterable[str] = (), entrance: Entrance | None = None) -> None:
        self._app, self._keys = app, keys
        self._entrance = entrance or Entrance()
        self._hosts = frozenset({*LOOPBACK, *hosts, *(host.lower() for host in self._entrance.hosts)})
        self._wrong = WrongKeys()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if refusal is not None:
            await refusal(scope, receive, _with_headers(send))
            return
        await self._app(scope, receive, _with_headers(send))

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        if not self._is_ours(headers):
            return _refused(scope, 403)
        if scope["path"].startswith(OPEN):
            return None
        visitor = self._visitor(scope, headers)
        if self._wrong.are_too_many(visitor):
            return _refused(scope, 429)
        asked = dict(parse_qsl(scope["query_string"].decode("latin-1")))
        if scope["method"] in SAFE and self._keys.opens(asked.get("token", "")):
            return self._welcome(scope, asked)
        if not self._bears_token(headers) and not self._keys.opens(_cookie(headers, cookie_name(scope))):
            if "token" in asked or "authorization" in headers:
                self._wrong.note(visitor)
            return _refused(scope, 401)
        return self._refused_change(scope, headers)

    def _refused_change(self, scope: Scope, headers: Headers) -> Response | None:
        """Why one with the key may not change what he asks to change, or None."""
        if scope["method"] in SAFE:
            return None
        if self._entrance.read_only:
            return _refused(scope, 405)
        if not self._bears_token(headers) and not self._keys.fits_form(headers.get(CSRF_HEADER, "")):
            scope["haenyeo.form"] = True  # a form without script carries it in its body: `views.form` looks there
        return None

    def _visitor(self, scope: Scope, headers: Headers) -> str:
        """Who asks; a proxy adds the address that it was asked from at the end."""
        if self._entrance.behind_proxy and "x-forwarded-for" in headers:
            return headers["x-forwarded-for"].rpartition(",")[2].strip()
        return str((scope.get("client") or ("", 0))[0])

    def _is_ours(self, headers: Headers) -> bool:
        """Was this machine asked under a name of its own, and not by another site's page?"""
        host = headers.get("host", "")
        name = host.rpartition(":")[0] if not host.endswith("]") and ":" in host else host
        if name.lower() not in self._hosts:
            return False
        origin = headers.get("origin")
        return origin is None or origin == f"{'https' if self._entrance.secure else 'http'}://{host}"

    def _bears_token(self, headers: Headers) -> bool:
        kind, _, token = headers.get("authorization", "").partition(" ")
        return kind.lower() == "bearer" and self._keys.opens(token.strip())

    def _welcome(self, scope: Scope, asked: dict[str, str]) -> Response:
        """Put the token into a cookie and lead to the same address without it."""
        rest = {key: value for key, value in asked.items() if key != "token"}
        target = scope["path"].replace("//", "/") + (f"?{urlencode(rest)}" if rest else "")
        answer = RedirectResponse(target, 303)
        answer.set_cookie(
            cookie_name(scope),
            self._keys.token,
            max_age=COOKIE_SECONDS,
            httponly=True,
            samesite="lax",
            path="/",
            secure=self._entrance.secure,
        )
        return answer


def cookie_name(scope: Scope) -> str:
    """The cookie's name; browsers share cookies between the ports of a host, so the port is part of it."""
    server = scope.get("server") or ("", 0)
    return f"haenyeo-{server[1] or 0}"


def _cookie(headers: Headers, name: str) -> str:
    try:
        jar: SimpleCookie = SimpleCookie(headers.get("cookie", ""))
    except CookieError:
        return ""
    return jar[name].value if name in jar else ""


def _refused(scope: Scope, status: int) -> Response:
    if scope["path"].startswith("/api"):
        challenge = {"www-authenticate": "Bearer"} if status == 401 else None  # noqa: PLR2004
        return JSONResponse({"detail": REFUSALS[status]}, status, headers=challenge)
    page = '<!doctype html><html lang="en"><title>Haenyeo</title><link rel="stylesheet" href="/static/style.css">'
    return HTMLResponse(f'{page}<main class="refused"><h1>Not this way</h1><p>{REFUSALS[status]}</p></main>', status)


def _with_headers(send: Send) -> Any:
    """Add the headers that every answer has; one that is there already stays."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("cache-control", "no-store")
        await send(message)

    return sending
