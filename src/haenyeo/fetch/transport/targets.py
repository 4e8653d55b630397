"""What does an address ask for, and of whom?"""

from __future__ import annotations

import functools
import re
from typing import NamedTuple

from haenyeo.html.urls import resolve
from haenyeo.model.pages import Url

_DEFAULT_PORTS = {"http": 80, "https": 443}
# An address whose path the standard's parser leaves as it is, unless it has dot segments, in plain or escaped dots.
_PLAIN = re.compile(r"(https?://[A-Za-z0-9.:\-]+)(/[A-Za-z0-9._~!$%&()*+,:;=@/?\-]*)")


class Origin(NamedTuple):
    """Whom to ask: `host` is a name or a numeric address without brackets, `authority` what the Host header says."""

    scheme: str
    host: str
    port: int
    authority: str


class Target(NamedTuple):
    """What to ask for: `path` is the request target with its query, `url` the whole address without fragment."""

    url: Url
    origin: Origin
    path: str


def target_of(url: str) -> Target | None:
    """The target an address means as browsers read it, or None if it is no http(s) address.

    The fragment is dropped, and so are a user name and password: an address on the web gives nobody's identity.

    >>> target = target_of("http://me:secret@0x7f.1:8080/a b#c")
    >>> target.url, target.origin.host, target.path
    ('http://127.0.0.1:8080/a%20b', '127.0.0.1', '/a%20b')
    """
    plain = _PLAIN.fullmatch(url)
    if plain and "/." not in plain[2] and "%2" not in plain[2]:
        origin = _origin(plain[1])
        return Target(Url(f"{origin.scheme}://{origin.authority}{plain[2]}"), origin, plain[2]) if origin else None
    absolute = resolve("", url)
    if absolute is None:
        return None
    scheme, _, rest = absolute.partition("#")[0].partition("://")
    authority, _, path = rest.partition("/")
    origin = _origin(f"{scheme}://{authority.rpartition('@')[2]}")
    return Target(Url(f"{scheme}://{origin.authority}/{path}"), origin, "/" + path) if origin else None


@functools.lru_cache(maxsize=1 << 12)
def _origin(text: str) -> Origin | None:
    absolute = resolve("", text + "/")
    if absolute is None:
        return None
    scheme, _, rest = absolute.removesuffix("/").partition("://")
    host, colon, port = rest.rpartition(":")
    if not colon or port.endswith("]"):
        host, port = rest, ""
    return Origin(scheme, host.strip("[]"), int(port) if port else _DEFAULT_PORTS[scheme], rest)
