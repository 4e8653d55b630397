"""Where a meta refresh leads, by the HTML standard's shared declarative refresh steps."""

from __future__ import annotations

import re

from haenyeo.html.urls import resolve
from haenyeo.model.pages import Url

_LONGEST_SECONDS = 10**9

_BLANK = r"[\t\n\f\r ]"
_REFRESH = re.compile(
    rf"{_BLANK}*+(?:([0-9]++)[0-9.]*+|\.[0-9.]*+)"  # seconds; a fraction is read over
    rf"(?:$|(?=[\t\n\f\r ;,]){_BLANK}*+[;,]?{_BLANK}*+"  # what parts them from the address
    rf"(?:url{_BLANK}*+={_BLANK}*+)?(.*))",  # the address, named or not
    re.IGNORECASE | re.DOTALL,
)


def meta_refresh(content: str, base: str) -> tuple[int, Url] | None:
    """The seconds and the target of the `content` of a meta refresh on a page with this base address.

    Without an address the page names itself. None if it says nothing a browser would act on.

    >>> meta_refresh("5; url='/new'", "http://example.org/old")
    (5, 'http://example.org/new')
    """
    found = _REFRESH.fullmatch(content)
    if found is None:
        return None
    target = resolve(base, _unquoted(found[2] or ""))
    return (_seconds(found[1] or "0"), target) if target else None


def _seconds(digits: str) -> int:
    return min(int(digits[:12]), _LONGEST_SECONDS)


def _unquoted(address: str) -> str:
    quote = address[:1]
    return address[1:].partition(quote)[0] if quote in {'"', "'"} else address
