"""How is a server reached? Over a connection that is already open and quiet, or a new one to a guarded address.

Every socket is opened in `_open_socket`, and nowhere else; that is where the address guard stands. A name is resolved
first and its numeric addresses are then tried in turn, so what is checked is what is connected to.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
import time
from functools import partial

from haenyeo.fetch.guard import AddressGuard
from haenyeo.fetch.transport.names import Names
from haenyeo.fetch.transport.proxies import Proxy, refuse_by_spelling
from haenyeo.fetch.transport.socks import connect_through
from haenyeo.fetch.transport.targets import Origin
from haenyeo.fetch.transport.wire import Wire
from haenyeo.model.errors import FetchError, ForbiddenAddressError

IDLE_SECONDS = 15.0
MOST_IDLE = 512
MOST_ADDRESSES = 4
# An address that does not answer may not use up the time for the next one.
ONE_ADDRESS_SECONDS = 4.0

PROXY_SILENT = "proxy: no answer"
"""The reason of pages that could not be asked for because no connection to the proxy was to be had."""

_SWEEP_SECONDS = 5.0
_READ_BYTES = 1 << 18  # at a time: most pages are taken in at once
_OK = 200


class Connections:
    """Opens connections and keeps quiet ones for the next request to the same place."""

    def __init__(self, guard: AddressGuard, names: Names, proxy: Proxy | None = None) -> None:
        self._guard, self._names, self._proxy = guard, names, proxy
        self._idle: dict[Origin, list[Wire]] = {}
        self._idle_count = 0
        self._swept_at = 0.0
        self._trust: ssl.SSLContext | None = None
        self._room = memoryview(bytearray(_READ_BYTES))

    def take_idle(self, origin: Origin) -> Wire | None:
        """An open connection to the place on which nothing unasked has arrived, if there is one."""
        refuse_by_spelling(origin, self._guard, proxied=self._proxy is not None)
        waiting = self._idle.get(self._next_stop(origin), [])
        oldest = time.monotonic() - IDLE_SECONDS
        while waiting:
            wire = waiting.pop()
            self._idle_count -= 1
            if wire.idle_since >= oldest and wire.is_quiet:
                return wire
            wire.close()
        return None

    def keep(self, origin: Origin, wire: Wire) -> None:
        """Keep a connection whose answer has been read to its end, or close it if it cannot be used again."""
        now = time.monotonic()
        if now - self._swept_at > _SWEEP_SECONDS:
            self._sweep(now)
        if wire.should_close or self._idle_count >= MOST_IDLE:
            wire.close()
            return
        wire.idle_since = now
        self._idle.setdefault(self._next_stop(origin), []).append(wire)
        self._idle_count += 1

    async def open(self, origin: Origin) -> Wire:
        """A new connection; raises `FetchError`, `OSError` or `ssl.SSLError` when there is no way."""
        refuse_by_spelling(origin, self._guard, proxied=self._proxy is not None)
        if self._proxy is None:
            return await self._connect(origin, self._guard)
        if self._proxy.socks:
            return await self._through_socks(origin, self._proxy)
        wire = await self._wire(*await self._proxy_socket(self._proxy), self._proxy.origin)
        return wire if origin.scheme == "http" else await self._tunnel(wire, origin, self._proxy)

    async def close(self) -> None:
        """Close all connections that are kept."""
        wires = [wire for wires in self._idle.values() for wire in wires]
        endings = [ending for wire in wires if (ending := wire.closed) is not None]
        for wire in wires:
            wire.abort()
        self._idle.clear()
        self._idle_count = 0
        await asyncio.gather(*endings, return_exceptions=True)

    def _next_stop(self, origin: Origin) -> Origin:
        """Where a kept connection ends: all plain requests share those to the proxy."""
        shared = self._proxy is not None and not self._proxy.socks and origin.scheme == "http"
        return self._proxy.origin if self._proxy is not None and shared else origin

    def _sweep(self, now: float) -> None:
        self._swept_at = now
        for origin, wires in list(self._idle.items()):
            fresh = [wire for wire in wires if now - wire.idle_since <= IDLE_SECONDS]
            for wire in wires[: len(wires) - len(fresh)]:  # the older ones stand first
                wire.close()
            self._idle_count -= len(wires) - len(fresh)
            self._idle[origin] = fresh
            if not fresh:
                del self._idle[origin]

    async def _through_socks(self, origin: Origin, proxy: Proxy) -> Wire:
        """A connection that a SOCKS5 proxy has opened."""
        connected, address = await self._proxy_socket(proxy)
        through = False
        try:
            await connect_through(connected, origin, proxy.user, proxy.password)
            through = True
        finally:
            if not through:
                connected.close()
        return await self._wire(connected, address, origin)

    async def _proxy_socket(self, proxy: Proxy) -> tuple[socket.socket, str]:
        """A socket connected to the proxy; that there is none says nothing about the server behind it."""
        try:
            return await self._socket(proxy.origin, proxy.guard)
        except OSError as error:
            raise FetchError(f"the proxy at {proxy.origin.authority} does not answer", reason=PROXY_SILENT) from error

    async def _connect(self, origin: Origin, guard: AddressGuard) -> Wire:
        return await self._wire(*await self._socket(origin, guard), origin)

    async def _socket(self, origin: Origin, guard: AddressGuard) -> tuple[socket.socket, str]:
        """A socket connected to the first of the host's addresses that takes one, and that address."""
        addresses = (await self._names.addresses(origin.host))[:MOST_ADDRESSES]
        failures: list[Exception] = []
        for address in addresses:
            try:
                async with asyncio.timeout(ONE_ADDRESS_SECONDS if len(addresses) > 1 else None):
                    connected = await _open_socket(address, origin.port, guard)
            except (OSError, ForbiddenAddressError) as error:
                failures.append(error)
            else:
                return connected, address
        # A server that refuses says more than an address that was never tried.
        raise min(failures, key=lambda error: isinstance(error, ForbiddenAddressError))

    async def _wire(self, connected: socket.socket, address: str, origin: Origin) -> Wire:
        loop = asyncio.get_running_loop()
        secure = origin.scheme == "https"
        _, wire = await loop.create_connection(
            partial(Wire, loop, address, self._room),
            sock=connected,
            ssl=self._trusted() if secure else None,
            server_hostname=origin.host.rstrip(".") if secure else None,
        )
        return wire

    async def _tunnel(self, wire: Wire, origin: Origin, proxy: Proxy) -> Wire:
        """Ask the proxy for a way through to the server, and speak TLS with the server over it."""
        loop = asyncio.get_running_loop()
        inner, secured = Wire(loop, wire.address, self._room), None
        try:
            head = await wire.ask(_connect_request(origin, proxy))
            if head.status != _OK or wire.transport is None:
                raise FetchError(f"the proxy answered {head.status}", reason=f"proxy: status {head.status}")
            secured = await loop.start_tls(
                wire.transport, inner, self._trusted(), server_hostname=origin.host.rstrip(".")
            )
            if secured is None:
                raise ConnectionResetError
            inner.connection_made(secured)
        finally:
            if secured is None:
                wire.abort()
        return inner

    def _trusted(self) -> ssl.SSLContext:
        """The system's authorities, or those of SSL_CERT_FILE and SSL_CERT_DIR; loaded when first needed."""
        if self._trust is None:
            self._trust = ssl.create_default_context()
            # Strict mode, the default since Python 3.13, refuses certificates of companies that browsers accept.
            self._trust.verify_flags &= ~ssl.VERIFY_X509_STRICT
            self._trust.set_alpn_protocols(["http/1.1"])
        return self._trust


async def _open_socket(address: str, port: int, guard: AddressGuard) -> socket.socket:
    """A socket connected to a numeric address, or `ForbiddenAddressError` before any packet is sent."""
    if guard.forbids(address):
        raise ForbiddenAddressError(f"{address} is a private, local or special address")
    opened = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_STREAM)
    connected = False
    try:
        opened.setblocking(False)
        await asyncio.get_running_loop().sock_connect(opened, (address, port))
        connected = True
    finally:
        if not connected:
            opened.close()
    return opened


def _connect_request(origin: Origin, proxy: Proxy) -> bytes:
    place = f"[{origin.host}]:{origin.port}" if ":" in origin.host else f"{origin.host}:{origin.port}"
    lines = [f"CONNECT {place} HTTP/1.1", f"Host: {place}"]
    if proxy.credentials:
        lines.append(f"Proxy-Authorization: {proxy.credentials}")
    return "\r\n".join([*lines, "", ""]).encode("latin-1")
