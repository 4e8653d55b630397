"""Which numeric addresses does a host name stand for?

Names that must not be looked up (RFC 6761, RFC 7686) are answered here; numeric addresses stand for themselves.
"""

from __future__ import annotations

import asyncio
import functools
import ipaddress
import socket
import time
from collections.abc import Awaitable, Callable, Sequence

from haenyeo.model.errors import FetchError

LookUp = Callable[[str], Awaitable[Sequence[str]]]
"""Asks the system for the numeric addresses of a name; raises `OSError` or `UnicodeError` if there are none."""

NO_SUCH_HOST = "no such host"
NAME_SERVER_SILENT = "name server failed"

_LOOPBACK = ("127.0.0.1", "::1")
_NEVER_RESOLVED = (".invalid", ".onion")
_KEPT_SECONDS = 60.0
_MOST_KEPT = 10_000


async def system_look_up(host: str) -> Sequence[str]:
    """The addresses the operating system knows for a name, in the order in which it would try them."""
    found = await asyncio.get_running_loop().getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


@functools.lru_cache(maxsize=_MOST_KEPT)
def addresses_without_look_up(host: str) -> Sequence[str] | None:
    """The addresses of a host that needs no name server, or None if it needs one."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        name = host.rstrip(".").lower()
        return _LOOPBACK if name == "localhost" or name.endswith(".localhost") else None
    return (host,)


class Names:
    """Looks names up and remembers the answers for a minute."""

    def __init__(self, look_up: LookUp = system_look_up) -> None:
        self._look_up = look_up
        self._known: dict[str, tuple[float, Sequence[str]]] = {}

    async def addresses(self, host: str) -> Sequence[str]:
        """The numeric addresses to try in turn; raises `FetchError` if there are none."""
        at_once = addresses_without_look_up(host)
        if at_once is not None:
            return at_once
        if f".{host.rstrip('.').lower()}".endswith(_NEVER_RESOLVED):
            raise FetchError(f"{host} is no name on the internet", reason=NO_SUCH_HOST)
        kept_until, addresses = self._known.get(host, (0.0, ()))
        if time.monotonic() < kept_until:
            return addresses
        return await self._ask(host)

    async def _ask(self, host: str) -> Sequence[str]:
        try:
            addresses = await self._look_up(host)
        except socket.gaierror as error:
            passing = error.errno == socket.EAI_AGAIN
            raise FetchError(str(error), reason=NAME_SERVER_SILENT if passing else NO_SUCH_HOST) from error
        except (OSError, UnicodeError) as error:  # UnicodeError: a label is empty or longer than names allow
            raise FetchError(str(error), reason=NO_SUCH_HOST) from error
        if not addresses:
            raise FetchError(f"{host} has no address", reason=NO_SUCH_HOST)
        if len(self._known) >= _MOST_KEPT:
            self._known.clear()
        self._known[host] = (time.monotonic() + _KEPT_SECONDS, addresses)
        return addresses
