"""How often does a page have a sign, such as the beginning of a tag? A glance at its bytes, before they are parsed."""

from __future__ import annotations

import sys
from typing import NamedTuple

from haenyeo import native

COMPILED = native.load("scanner")


class Sign(NamedTuple):
    """Bytes that are looked for, and which of them is the rarest in pages."""

    text: bytes
    rare: int


def count_signs(page: bytes, sign: Sign, start: int = 0, end: int = sys.maxsize, most: int = sys.maxsize) -> int:
    """How often a page has a sign from `start` up to `end`; no more than `most`, which is enough.

    >>> count_signs(b"<p>one</p><p>two</p>", Sign(b"</p", 1))
    2
    """
    if COMPILED is None:
        return count_in_python(page, sign, start, end, most)
    found: int = COMPILED.count(page, *sign, start, end, most)
    return found


def count_in_python(page: bytes, sign: Sign, start: int, end: int, most: int) -> int:
    """The same without compiled code."""
    return min(page.count(sign.text, start, end), most)


def behind_signs(page: str | bytes, sign: Sign, most: int, length: int) -> list[bytes]:
    """What stands behind the first `most` signs of a page, up to `length` bytes of it; a text is taken as UTF-8.

    >>> behind_signs("<p>one</p><p>two</p>", Sign(b"<p>", 0), 9, 2)
    [b'on', b'tw']
    """
    found: list[bytes] | None = COMPILED.behind(page, *sign, most, length) if COMPILED else None
    if found is not None:
        return found
    return behind_in_python(
        page if isinstance(page, bytes) else page.encode("utf-8", "surrogatepass"), sign, most, length
    )


def behind_in_python(page: bytes, sign: Sign, most: int, length: int) -> list[bytes]:
    """The same of bytes, without compiled code."""
    pieces: list[bytes] = []
    place = page.find(sign.text)
    while place >= 0 and len(pieces) < most:
        place += len(sign.text)
        pieces.append(page[place : place + length])
        place = page.find(sign.text, place)
    return pieces
