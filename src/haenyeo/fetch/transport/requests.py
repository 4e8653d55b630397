"""What is sent to a server, and what of it may be shown in an archive?

Header values are handled as strings of which every character stands for one byte (latin-1), sent and received alike.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping

import msgspec

from haenyeo import __version__
from haenyeo.fetch.bodies import ACCEPTED
from haenyeo.fetch.transport.proxies import Proxy
from haenyeo.fetch.transport.targets import Origin, Target, target_of
from haenyeo.model.config import FetchSettings
from haenyeo.model.errors import SettingsError
from haenyeo.model.visits import Validators

Headers = tuple[tuple[str, str], ...]

PRODUCT = "haenyeo"
"""The name robots.txt files know the crawler by."""

HIDDEN = "(hidden)"
"""What an archive shows in place of a secret."""

ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,text/plain;q=0.8,*/*;q=0.5"
"""The kinds of answers that are asked for."""
_MOST_HOSTS = 1024
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
# They say where a message ends or how it is packed, and would break the exchange.
_OURS_TO_SET = frozenset(
    {"host", "connection", "content-length", "transfer-encoding", "accept-encoding", "te", "upgrade", "expect"}
)


class PageRequest(msgspec.Struct, frozen=True):
    """A request as bytes, and its headers as an archive may show them."""

    data: bytes
    shown: Headers


class Past(msgspec.Struct, frozen=True):
    """What a chain of redirects has gone through: whether it has been on https."""

    secure: bool


class Requests:
    """Writes requests; raises `SettingsError` for headers in the settings that cannot be sent."""

    def __init__(self, settings: FetchSettings, proxy: Proxy | None = None) -> None:
        self._common: Headers = (
            ("User-Agent", _sendable(user_agent(settings))),
            ("Accept", ACCEPT),
            ("Accept-Encoding", ACCEPTED),
        )
        self._lines = _lines(self._common)
        self._of_origin = {
            origin: _checked(place, headers)
            for place, headers in settings.headers.items()
            for origin in _origins_of(place)
        }
        self._proxied = proxy is not None
        self._shown = functools.lru_cache(maxsize=_MOST_HOSTS)(self._shown_to)
        self._to_proxy: Headers = (("Proxy-Authorization", proxy.credentials),) if proxy and proxy.credentials else ()

    def write(
        self, target: Target, past: Past, validators: Validators | None, cookie: str, headers: Headers = ()
    ) -> PageRequest:
        """The GET for a target; headers of the settings go to their own origin alone, see `_origins_of`.

        `headers` are those of this request, in place of the usual ones of their names.
        """
        host = target.origin.authority
        place = target.url if self._proxied and target.origin.scheme == "http" else target.path
        if not (validators or cookie or headers or self._of_origin or self._to_proxy):
            text = f"GET {place} HTTP/1.1\r\nHost: {host}\r\n{self._lines}\r\n"
            return PageRequest(text.encode("latin-1"), self._shown(host))
        secrets = self._secrets(target.origin, past)
        if cookie:
            secrets = (*secrets, ("Cookie", _sendable(cookie)))
        own = tuple((name, _sendable(value)) for name, value in headers if _TOKEN.fullmatch(name))
        names = {name.lower() for name, _ in (*secrets, *own)}
        shown = [("Host", host), *(header for header in self._common if header[0].lower() not in names), *own]
        if validators:
            shown += _conditions(validators)
        if place is target.url:
            secrets = (*secrets, *self._to_proxy)
        text = f"GET {place} HTTP/1.1\r\n{_lines(shown)}{_lines(secrets)}\r\n"
        return PageRequest(text.encode("latin-1"), (*shown, *((name, HIDDEN) for name, _ in secrets)))

    def _shown_to(self, host: str) -> Headers:
        """What every request to a host says; one value for all, by which its archived form is found again soonest."""
        return (("Host", host), *self._common)

    def _secrets(self, origin: Origin, past: Past) -> Headers:
        """The settings' headers for an origin; none on http once the chain of redirects was on https."""
        if past.secure and origin.scheme == "http":
            return ()
        return self._of_origin.get((origin.scheme, origin.host, origin.port), ())


def _origins_of(place: str) -> list[tuple[str, str, int]]:
    """The origins that a key of the settings' headers means, as scheme, host and port.

    `https://example.org` means itself, `example.org:8000` that port, `example.org` the ports that http and https have
    of themselves: other ports of a host are other people's, or other services.

    >>> _origins_of("Example.org"), _origins_of("http://127.0.0.1:8000")
    ([('https', 'example.org', 443), ('http', 'example.org', 80)], [('http', '127.0.0.1', 8000)])
    """
    if "://" not in place and place.count(":") > 1 and not place.startswith("["):
        place = f"[{place}]"  # an IPv6 address
    written = [place] if "://" in place else [f"https://{place}", f"http://{place}"]
    targets = [target for url in written if (target := target_of(url + "/")) is not None]
    if not targets:
        path = f"$.fetch.headers.{place}"
        advice = "write it as example.org, example.org:8000 or https://example.org"
        raise SettingsError(f"haenyeo.toml: {path} names no host", path=path, advice=advice)
    return [(target.origin.scheme, target.origin.host, target.origin.port) for target in targets]


def user_agent(settings: FetchSettings) -> str:
    """How the crawler introduces itself: by the settings' own words, or by name, version and whom to reach."""
    if settings.user_agent:
        return settings.user_agent
    return f"{PRODUCT}/{__version__} (+{settings.contact})" if settings.contact else f"{PRODUCT}/{__version__}"


def name_of(settings: FetchSettings) -> str:
    """The User-Agent by whose name robots.txt knows us: that of the settings, or else what this crawler is."""
    return settings.user_agent or PRODUCT


def _lines(headers: Iterable[tuple[str, str]]) -> str:
    return "".join([f"{name}: {value}\r\n" for name, value in headers])


def _conditions(validators: Validators) -> Headers:
    pairs = (("If-None-Match", validators.etag), ("If-Modified-Since", validators.last_modified))
    return tuple((name, _sendable(value)) for name, value in pairs if value)


def _sendable(value: str) -> str:
    """The value's UTF-8 bytes, one a character, without anything that could end a header."""
    text = _CONTROL.sub(" ", value).strip()
    return text if text.isascii() else text.encode("utf-8", "replace").decode("latin-1")


def _checked(host: str, headers: Mapping[str, str]) -> Headers:
    for name, value in headers.items():
        if not _TOKEN.fullmatch(name) or name.lower() in _OURS_TO_SET or _CONTROL.search(value):
            path = f"$.fetch.headers.{host}.{name}"
            raise SettingsError(f"haenyeo.toml: {path} cannot be sent", path=path, advice="remove or correct it")
    return tuple((name, _sendable(value)) for name, value in headers.items())
