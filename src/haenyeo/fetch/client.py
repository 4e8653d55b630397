"""What does the server answer? One request, its redirects, and every way in which they can go wrong.

A fetch is a chain of exchanges. Each opens or reuses a connection, sends one GET, waits for the head, reads the body as
far as it is wanted, and lets go of the connection. Then the answer is judged, or its redirect is followed: its target
must parse as an http(s) address, must not have been asked with the same cookies in this chain, must be permitted by
the caller, and is connected to only through the address guard. Whatever servers do, an `Answer` comes back.
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec

from haenyeo.fetch.answers import (
    AnswerVerdict,
    content_type_of,
    is_page_status,
    judge_failure,
    judge_file,
    judge_page,
    judge_status,
    never_a_page,
    validators_of,
)
from haenyeo.fetch.chain import Chain
from haenyeo.fetch.cookie_files import read_cookies
from haenyeo.fetch.cookies import Cookies
from haenyeo.fetch.guard import AddressGuard
from haenyeo.fetch.transport.connections import Connections
from haenyeo.fetch.transport.exchange import Exchange, Exchanger
from haenyeo.fetch.transport.fields import Fields
from haenyeo.fetch.transport.names import LookUp, Names, system_look_up
from haenyeo.fetch.transport.proxies import Proxy
from haenyeo.fetch.transport.requests import Headers, Requests
from haenyeo.fetch.transport.targets import Target, target_of
from haenyeo.model.config import FetchSettings
from haenyeo.model.errors import PageError
from haenyeo.model.pages import Url
from haenyeo.model.parts import Permit
from haenyeo.model.visits import Answer, Outcome, Validators

EXPLANATION_BYTES = 1 << 16
"""How much is read of the body of a redirect or an error."""


class _Errand(msgspec.Struct, frozen=True):
    """What a fetch is for: a page, or a file of any kind."""

    url: Url
    limit_bytes: int
    any_kind: bool = False
    validators: Validators | None = None
    on_answer: Callable[[], None] | None = None
    headers: Headers = ()
    unread: Callable[[str], bool] = never_a_page

    def wanted_bytes(self, status: int, fields: Fields) -> int:
        """How much of a body to read once its head has come."""
        if self.on_answer:
            self.on_answer()
        if not is_page_status(status):
            return EXPLANATION_BYTES
        return 0 if not self.any_kind and self.unread(content_type_of(fields)) else self.limit_bytes

    def judge(self, exchange: Exchange, *, conditional: bool) -> AnswerVerdict:
        """The verdict on the last exchange, for this kind of errand."""
        if not is_page_status(exchange.hop.status):
            return judge_status(exchange, time.time(), conditional=conditional)
        judge = judge_file if self.any_kind else judge_page
        return judge(exchange, self.limit_bytes)


class _Way:
    """How servers are reached: directly, or through one proxy."""

    def __init__(self, settings: FetchSettings, connections: Connections, proxy: Proxy | None) -> None:
        self.requests = Requests(settings, None if proxy is not None and proxy.socks else proxy)
        self.connections = connections
        self.exchanger = Exchanger(connections)


class Client:
    """Asks servers for pages. Use it as an async context manager; `cookies` can be dumped and loaded.

    Raises `SettingsError` for a proxy or headers that cannot be used. `look_up` asks for the addresses of a name, and
    `unread` says of a Content-Type that nobody wants its bodies.
    """

    def __init__(
        self,
        settings: FetchSettings,
        *,
        look_up: LookUp = system_look_up,
        unread: Callable[[str], bool] = never_a_page,
    ) -> None:
        written = [settings.proxy] if isinstance(settings.proxy, str) else settings.proxy
        proxies: list[Proxy | None] = [Proxy(url) for url in written if url] or [None]
        self.cookies = Cookies()
        if settings.cookies:
            self.cookies.put(read_cookies(Path(settings.cookies)), time.time())
        self._settings, self._unread = settings, unread
        names, guard = Names(look_up), AddressGuard(settings.allow_private)
        self._ways = [_Way(settings, Connections(guard, names, proxy), proxy) for proxy in proxies]

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for way in self._ways:
            way.exchanger.close()
            await way.connections.close()

    def _way_to(self, target: Target) -> _Way:
        """The way to a host: always the same of several, so that its server sees one visitor."""
        ways = self._ways
        return ways[0] if len(ways) == 1 else ways[zlib.crc32(target.origin.host.encode()) % len(ways)]

    async def fetch(
        self,
        url: Url,
        validators: Validators | None,
        permit: Permit,
        *,
        on_answer: Callable[[], None] | None = None,
        headers: Headers = (),
    ) -> Answer:
        """The page at an address, after redirects; `on_answer` is called whenever the head of an answer has come.

        The validators go with the first request alone: they belong to this address and to none it redirects to.
        `headers` take the place of those that every request has.
        """
        limit, unread = self._settings.max_bytes, self._unread
        errand = _Errand(url, limit, validators=validators, on_answer=on_answer, headers=headers, unread=unread)
        return await self._fetch(errand, permit)

    async def fetch_file(
        self,
        url: Url,
        permit: Permit,
        *,
        limit_bytes: int,
        on_answer: Callable[[], None] | None = None,
        headers: Headers = (),
    ) -> Answer:
        """The first bytes of whatever an address holds, under any Content-Type: robots.txt, a sitemap.

        Of a file that is too large or cut short the beginning comes back, as a `PAGE` whose reason says so. `headers`
        take the place of those that every request has.
        """
        errand = _Errand(url, limit_bytes, any_kind=True, on_answer=on_answer, headers=headers)
        return await self._fetch(errand, permit)

    async def _fetch(self, errand: _Errand, permit: Permit) -> Answer:
        target = target_of(errand.url)
        if target is None:
            return Answer(url=errand.url, final_url=errand.url, outcome=Outcome.REFUSED, reason="bad address")
        chain = Chain(target)
        try:
            exchange = await self._ask(chain, errand)
            while following := chain.following(exchange, self.cookies, time.time()):
                refusal = await permit(following.url)
                if refusal:
                    return _answer(errand, chain, AnswerVerdict(Outcome.REFUSED, refusal), final_url=following.url)
                chain.go_to(following)
                exchange = await self._ask(chain, errand)
        except PageError as error:
            return _answer(errand, chain, judge_failure(error))
        conditional = errand.validators is not None and len(chain.hops) == 1
        return _answer(errand, chain, errand.judge(exchange, conditional=conditional), fields=exchange.fields)

    async def _ask(self, chain: Chain, errand: _Errand) -> Exchange:
        """Ask for the chain's target within what is left of the time for the whole chain."""
        target, now, began = chain.target, time.time(), time.perf_counter()
        cookie = self.cookies.header(target, now)
        chain.trying(cookie)
        way = self._way_to(target)
        request = way.requests.write(
            target, chain.past, None if chain.hops else errand.validators, cookie, errand.headers
        )
        left = self._settings.timeout - chain.seconds
        try:
            exchange = await way.exchanger.exchange(target, request, errand.wanted_bytes, left)
        finally:
            chain.seconds += time.perf_counter() - began
        chain.hops.append(exchange.hop)
        if "set-cookie" in exchange.fields:
            self.cookies.take(target, exchange.fields.all("set-cookie"), now)
        return exchange


def _answer(
    errand: _Errand, chain: Chain, verdict: AnswerVerdict, *, fields: Fields | None = None, final_url: Url | None = None
) -> Answer:
    return Answer(
        url=errand.url,
        final_url=final_url or chain.target.url,
        outcome=verdict.outcome,
        reason=verdict.reason,
        status=chain.hops[-1].status if chain.hops else 0,
        content_type=content_type_of(fields) if fields else "",
        body=verdict.body,
        validators=validators_of(fields) if fields else Validators(),
        retry_after=verdict.retry_after,
        retryable=verdict.retryable,
        hops=tuple(chain.hops),
        seconds=chain.seconds,
    )
