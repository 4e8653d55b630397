"""Which cookies go with a request? Kept for each site apart, as RFC 6265 says, and never many.

A cookie is taken only for the host that set it or a domain above it within the same site, so none can be set for a
public suffix such as `co.kr`. Crawls need cookies mostly to get through redirects that first set one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from haenyeo.fetch.dates import http_time
from haenyeo.fetch.transport.targets import Target
from haenyeo.html.urls import site_of

MOST_PER_SITE = 50
MOST_SITES = 10_000
LONGEST_COOKIE = 4096
LONGEST_HEADER = 8192


class Cookie(msgspec.Struct, frozen=True, array_like=True):
    """A cookie; `domain` has no leading dot, `host_only` ones go to no other host, `expires` is in unix seconds."""

    name: str
    value: str
    domain: str
    path: str
    host_only: bool = True
    secure: bool = False
    expires: float | None = None


class _Key(NamedTuple):
    domain: str
    path: str
    name: str


_Jar = dict[_Key, Cookie]


class Cookies:
    """All cookies of a crawl, in memory; `dump` and `load` carry them over to the next."""

    def __init__(self) -> None:
        self._jars: dict[str, _Jar] = {}

    def header(self, target: Target, now: float) -> str:
        """The Cookie header for a request, or nothing."""
        if not self._jars:
            return ""
        jar = self._jars.get(site_of(target.url)) or self._jars.get(target.origin.host)
        if not jar:
            return ""
        fitting = [cookie for cookie in jar.values() if _goes_to(cookie, target, now)]
        fitting.sort(key=lambda cookie: -len(cookie.path))
        pairs: list[str] = []
        room = LONGEST_HEADER
        for cookie in fitting:
            pair = f"{cookie.name}={cookie.value}" if cookie.name else cookie.value
            room -= len(pair) + 2
            if room < 0:
                break
            pairs.append(pair)
        return "; ".join(pairs)

    def take(self, target: Target, set_cookie: Iterable[str], now: float) -> None:
        """Keep what an answer's Set-Cookie headers say, as far as it may."""
        site = site_of(target.url)
        for line in set_cookie:
            cookie = _parse(line, target, site, now)
            if cookie is not None:
                self._put(site, cookie, now)

    def put(self, cookies: Iterable[Cookie], now: float) -> None:
        """Keep cookies that the user has brought; those of a numeric address go to all of its ports."""
        for cookie in cookies:
            self._put(site_of(f"https://{cookie.domain}/"), cookie, now)

    def dump(self, now: float) -> bytes:
        """All cookies that have not expired, for `load`."""
        kept = {
            site: [cookie for cookie in jar.values() if not _expired(cookie, now)] for site, jar in self._jars.items()
        }
        return msgspec.msgpack.encode(kept)

    def load(self, dumped: bytes) -> None:
        """Take in what `dump` returned, in place of what is kept now."""
        sites = msgspec.msgpack.decode(dumped, type=dict[str, list[Cookie]])
        self._jars = {site: {_key(cookie): cookie for cookie in cookies} for site, cookies in sites.items()}

    def _put(self, site: str, cookie: Cookie, now: float) -> None:
        jar = self._jars.get(site)
        if jar is None:
            while len(self._jars) >= MOST_SITES:
                del self._jars[next(iter(self._jars))]
            jar = self._jars[site] = dict(self._jars.get(cookie.domain, {}))
        jar.pop(_key(cookie), None)
        if _expired(cookie, now):
            return
        while len(jar) >= MOST_PER_SITE:
            del jar[next(iter(jar))]
        jar[_key(cookie)] = cookie


def _key(cookie: Cookie) -> _Key:
    return _Key(cookie.domain, cookie.path, cookie.name)


def _expired(cookie: Cookie, now: float) -> bool:
    return cookie.expires is not None and cookie.expires <= now


def _goes_to(cookie: Cookie, target: Target, now: float) -> bool:
    host = target.origin.host
    if cookie.domain != host and (cookie.host_only or not host.endswith("." + cookie.domain)):
        return False
    if (cookie.secure and target.origin.scheme != "https") or _expired(cookie, now):
        return False
    path = target.path.partition("?")[0]
    return path == cookie.path or path.startswith(cookie.path if cookie.path.endswith("/") else cookie.path + "/")


def _parse(line: str, target: Target, site: str, now: float) -> Cookie | None:
    """The cookie of one Set-Cookie header (RFC 6265, 5.2 and 5.3), or None if it may not be kept."""
    if len(line) > LONGEST_COOKIE or not line.isprintable():
        return None
    pair, *rest = line.split(";")
    name, equals, value = pair.partition("=")
    if not equals:
        name, value = "", name
    attributes = _attributes(rest)
    domain = attributes.get("domain", "").lstrip(".").lower()
    host = target.origin.host
    if domain and not _may_set(domain, host, site):
        return None
    path = attributes.get("path", "")
    cookie = Cookie(
        name=name.strip(),
        value=value.strip(),
        domain=domain or host,
        path=path if path.startswith("/") else _default_path(target.path),
        host_only=not domain,
        secure="secure" in attributes,
        expires=_expiry(attributes, now),
    )
    return cookie if (cookie.name or cookie.value) and _keeps_its_prefix(cookie, target) else None


def _attributes(parts: list[str]) -> dict[str, str]:
    """The attributes by lower-case name; of repeated ones the last counts."""
    found = {}
    for part in parts:
        name, _, value = part.partition("=")
        found[name.strip().lower()] = value.strip()
    return found


def _may_set(domain: str, host: str, site: str) -> bool:
    """Whether a host may set cookies for a domain: its own name, or one above it that is not above its site."""
    if domain == host:
        return True
    return host.endswith("." + domain) and (domain == site or domain.endswith("." + site))


def _default_path(path: str) -> str:
    return path.partition("?")[0].rpartition("/")[0] or "/"


def _expiry(attributes: dict[str, str], now: float) -> float | None:
    """When the cookie ends, in unix seconds; None for one that lasts as long as the crawl."""
    age = attributes.get("max-age", "")
    digits = age.removeprefix("-")
    if digits.isascii() and digits.isdigit():
        return now + min(int(age[:12]), 10**9) if age[0] != "-" else -math.inf
    return http_time(attributes.get("expires", ""))


def _keeps_its_prefix(cookie: Cookie, target: Target) -> bool:
    """Whether the cookie is what its name's prefix promises (RFC 6265bis, 4.1.3); Secure ones come over https only."""
    if cookie.secure and target.origin.scheme != "https":
        return False
    if cookie.name.startswith("__Host-"):
        return cookie.secure and cookie.host_only and cookie.path == "/"
    return cookie.secure or not cookie.name.startswith("__Secure-")
