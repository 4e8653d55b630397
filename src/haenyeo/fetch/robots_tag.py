"""What does the X-Robots-Tag of an answer ask of us? Not to keep a page, not to follow its links."""

from __future__ import annotations

import re
from collections.abc import Iterable

NAME = "x-robots-tag"

_FOR_ONE = re.compile(r"\s*([^\s:,]+)\s*:")
_WORD = re.compile(r"[a-z-]+")
# Words that take a value after a colon, and so are no names of crawlers.
_WITH_VALUE = frozenset({"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"})


def robots_tag(headers: Iterable[tuple[str, str]], ours: str) -> frozenset[str]:
    """The words of all X-Robots-Tag headers, but for those meant for a crawler of another name than ours.

    >>> sorted(robots_tag([("X-Robots-Tag", "noindex, nofollow"), ("X-Robots-Tag", "reefbot: none")], "haenyeo"))
    ['nofollow', 'noindex']
    """
    found: set[str] = set()
    for name, value in headers:
        if len(name) == len(NAME) and name.lower() == NAME:
            found.update(_words(value.lower(), ours))
    return frozenset(found)


def _words(value: str, ours: str) -> list[str]:
    named = _FOR_ONE.match(value)
    if named is None or named[1] in _WITH_VALUE:
        return _WORD.findall(value)
    return _WORD.findall(value[named.end() :]) if named[1] == ours else []
