"""Where the tags of a page begin that somebody asks for; in time linear in the page, without a tree."""

from __future__ import annotations

import re
from itertools import islice

from haenyeo import native

COMPILED = native.load("reading")


def tags_named(html: str, name: str, most: int) -> list[int]:
    """Where the first start tags of this name begin that may have attributes.

    >>> tags_named("<p><META name=a><metadata>", "meta", 9)
    [3]
    """
    found: list[int] | None = COMPILED.tags_named(html, name, most) if COMPILED else None
    return tags_named_in_python(html, name, most) if found is None else found


def tags_with(html: str, word: str, most: int) -> list[int]:
    """Where the first tags begin that have this word in them.

    >>> tags_with("<p id=me>me <b id=me class=me>", "me", 9)
    [0, 12]
    """
    found: list[int] | None = COMPILED.tags_with(html, word, most) if COMPILED else None
    return tags_with_in_python(html, word, most) if found is None else found


def tags_named_in_python(html: str, name: str, most: int) -> list[int]:
    """The same as `tags_named`, without compiled code."""
    starts = re.finditer(f"<{name}[ \\t\\n\\f\\r/]", html, re.IGNORECASE | re.ASCII)
    return [found.start() for found in islice(starts, most)]


def tags_with_in_python(html: str, word: str, most: int) -> list[int]:
    """The same as `tags_with`, without compiled code."""
    starts: list[int] = []
    behind, place = 0, html.find(word)
    while place >= 0 and len(starts) < most:
        start = html.rfind("<", behind, place)
        if start >= 0 and html.find(">", start, place) < 0:
            starts.append(start)
        behind = place + len(word)
        place = html.find(word, behind)
    return starts
