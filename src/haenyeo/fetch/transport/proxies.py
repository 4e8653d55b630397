"""Which proxy do requests go through, and what does it want to know?"""

from __future__ import annotations

import base64
from urllib.parse import unquote, urlsplit

from haenyeo.fetch.guard import AddressGuard
from haenyeo.fetch.transport.names import addresses_without_look_up
from haenyeo.fetch.transport.targets import Origin, target_of
from haenyeo.model.errors import ForbiddenAddressError, SettingsError

_SOCKS = frozenset({"socks5", "socks5h", "socks"})
_SOCKS_PORT = 1080


class Proxy:
    """A proxy of the settings; raises `SettingsError` for one that cannot be used.

    `origin` is where it stands, on whatever network: it is the user's own choice. `credentials` is the
    Proxy-Authorization it wants, or nothing; one that speaks SOCKS5 (`socks`) wants `user` and `password` as they are.
    """

    def __init__(self, url: str) -> None:
        scheme = url.partition("://")[0].lower()
        self.socks = scheme in _SOCKS
        target = target_of(f"http://{url.partition('://')[2]}" if self.socks else url)
        if target is None:
            raise SettingsError(
                f"$.fetch.proxy is {url!r}, which is no http, https or socks5 address",
                path="$.fetch.proxy",
                advice="write it as http://host:port, http://user:password@host:port or socks5://host:port",
            )
        parts = urlsplit(url)
        self.origin = target.origin._replace(port=parts.port or _SOCKS_PORT) if self.socks else target.origin
        self.guard = AddressGuard(["0.0.0.0/0", "::/0"])
        self.user, self.password = unquote(parts.username or ""), unquote(parts.password or "")
        self.credentials = "" if self.socks else _credentials(url)


def _credentials(url: str) -> str:
    parts = urlsplit(url)
    if not parts.username:
        return ""
    pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
    return "Basic " + base64.b64encode(pair.encode()).decode("ascii")


def refuse_by_spelling(origin: Origin, guard: AddressGuard, *, proxied: bool) -> None:
    """Raise `ForbiddenAddressError` for a host or port that its mere spelling gives away as forbidden.

    A proxy resolves names and connects on our behalf; this much can still be seen before it is asked.
    """
    addresses = addresses_without_look_up(origin.host) if proxied else None
    if addresses and all(guard.forbids(address) for address in addresses):
        raise ForbiddenAddressError(f"{origin.host} is a private, local or special address")
    if guard.forbids_place(origin.host, origin.port, by_name=proxied and addresses is None):
        raise ForbiddenAddressError(f"{origin.host}:{origin.port} is no place on the web")
