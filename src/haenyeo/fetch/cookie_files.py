"""Cookies that a user brings from a browser: Netscape's `cookies.txt`, or a list in JSON as extensions write it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from haenyeo.fetch.cookies import Cookie
from haenyeo.model.errors import SettingsError

_FIELDS = 7
_HTTP_ONLY = "#HttpOnly_"


class _BrowserCookie(msgspec.Struct, frozen=True, rename="camel"):
    name: str
    value: str
    domain: str
    path: str = "/"
    secure: bool = False
    host_only: bool | None = None
    expiration_date: float | None = None
    expires: float | None = None


def read_cookies(path: Path) -> list[Cookie]:
    """The cookies in a file; raises `SettingsError` that says what is wrong with it."""
    try:
        text = path.read_text(encoding="utf-8")
        return list(_from_json(text) if text.lstrip()[:1] in ("[", "{") else _from_netscape(text))
    except (OSError, ValueError, msgspec.DecodeError) as error:
        raise SettingsError(
            f"$.fetch.cookies: {path} cannot be read: {error}",
            path="$.fetch.cookies",
            advice="export it from a browser as cookies.txt (Netscape) or as JSON",
        ) from error


def _from_netscape(text: str) -> Iterator[Cookie]:
    for number, written in enumerate(text.splitlines(), 1):
        line = written.removeprefix(_HTTP_ONLY)
        if not line.strip() or line.startswith("#"):
            continue
        fields = line.split("\t")
        if len(fields) != _FIELDS:
            raise ValueError(f"line {number} has {len(fields)} fields, not {_FIELDS}")
        domain, below, path, secure, expires, name, value = fields
        yield Cookie(
            name=name,
            value=value,
            domain=domain.lstrip(".").lower(),
            path=path,
            host_only=below.upper() != "TRUE",
            secure=secure.upper() == "TRUE",
            expires=float(expires) or None,
        )


def _from_json(text: str) -> Iterator[Cookie]:
    told = msgspec.json.decode(text)
    listed = told.get("cookies", []) if isinstance(told, dict) else told
    for each in msgspec.convert(listed, list[_BrowserCookie]):
        expires = each.expiration_date if each.expiration_date is not None else each.expires
        yield Cookie(
            name=each.name,
            value=each.value,
            domain=each.domain.lstrip(".").lower(),
            path=each.path,
            host_only=not each.domain.startswith(".") if each.host_only is None else each.host_only,
            secure=each.secure,
            expires=expires if expires and expires > 0 else None,
        )
