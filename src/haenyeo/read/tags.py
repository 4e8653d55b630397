"""Where the tags of a page begin that somebody asks for; in time linear in the page, without a tree."""

from __future__ import annotations

import re
from itertools import islice

from haenyeo import native

COMPILED = native.load("reading")

LONGEST_TAG = 5_000
"""Characters of a tag that are looked at."""

# A name is tried at its beginning only, so that long words without a value take linear time.
_ATTRIBUTE = re.compile(r"""(?<![^\s"'/])([^\s"'<>/=]++)\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s"'<>]++))""")


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


def inside(html: str, start: int) -> str:
    """What stands from here to the end of the tag."""
    end = html.find(">", start, start + LONGEST_TAG)
    return html[start : end if end >= 0 else start + LONGEST_TAG].partition("<")[0]


def attributes_at(html: str, places: list[int], ahead: int = 1) -> list[dict[str, str]]:
    """By name in small letters, what tags that begin here have as attributes, as written; the first of a name counts.

    Attributes begin `ahead` characters behind a tag's own place, or later.

    >>> attributes_at("<p ID=me class='a b'>", [0])
    [{'id': 'me', 'class': 'a b'}]
    """
    if COMPILED is None:
        return attributes_in_python(html, places, ahead)
    found: list[dict[str, str]] = COMPILED.attributes(html, places, ahead, LONGEST_TAG)
    return found


def attributes_in_python(html: str, places: list[int], ahead: int) -> list[dict[str, str]]:
    """The same as `attributes_at`, without compiled code."""
    found = []
    for place in places:
        attributes: dict[str, str] = {}
        for name, double, single, bare in _ATTRIBUTE.findall(inside(html, place + ahead)):
            attributes.setdefault(name.lower(), double or single or bare)
        found.append(attributes)
    return found


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
