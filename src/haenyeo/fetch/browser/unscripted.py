"""How much does a page say before its scripts run? A glance at its bytes, which ends as soon as there is enough.

A page that a browser fills by script comes as a frame: scripts, and hardly a word. No tree is built to see that: what
stands between tags is counted, what stands in scripts, styles, templates and the head is not.
"""

from __future__ import annotations

import re
from itertools import pairwise

from haenyeo.html.guard.signs import Sign, count_signs

FEW_CHARACTERS = 200
"""A page that shows fewer characters than this says too little for a page of its own."""
MOST_BYTES = 1 << 20
"""How far into a page one looks; frames are short."""
GLANCES = (1 << 12, 1 << 14, 1 << 16)
"""How many bytes of its body are looked at to see that a page is full: first a few, since most pages soon are."""
FULL_PARAGRAPHS, FULL_LINKS = 8, 20

_DATA = rb"application/(?:ld\+)?json|text/(?:template|x-)|importmap|speculationrules"
_SCRIPT = re.compile(rb"<script\b(?![^>]{0,200}\btype\s?=\s?[\"']?(?:" + _DATA + rb"))", re.IGNORECASE)
_OTHER_WAY = re.compile(rb"<(?:frameset\b|meta\b[^>]{0,99}http-equiv\s?=\s?[\"']?refresh)", re.IGNORECASE)
_NO_SCRIPT = re.compile(rb"<noscript\b.{0,9999}?</noscript", re.IGNORECASE | re.DOTALL)
_BODY = re.compile(rb"<body\b|</head\s*>", re.IGNORECASE)
_MARK = re.compile(rb"<(!--|/?[a-zA-Z][a-zA-Z0-9-]*)")
_SILENT = frozenset(
    b"script style noscript template title desc metadata textarea select".split()  # desc and metadata: of drawings
)
_DRAWN = frozenset(b"img svg object embed video picture".split())
_SHAPES = frozenset(b"path rect circle ellipse line polyline polygon use image a i span td th g".split())
"""Elements that are often empty and never filled."""
_PARAGRAPH, _LINK = Sign(b"</p", 0), Sign(b"</a", 0)
_SPACE = re.compile(rb"(?:\s|&nbsp;)+")


def is_full(page: bytes) -> bool:
    """Whether a page has no scripts, or so many paragraphs or links that one need not look further: true of most."""
    body = max(page.find(b"<body", 0, GLANCES[-1]), 0)
    paragraphs = links = 0
    for begin, end in pairwise((0, *GLANCES)):
        paragraphs += count_signs(page, _PARAGRAPH, body + begin, body + end)
        if paragraphs >= FULL_PARAGRAPHS:
            return True
        links += count_signs(page, _LINK, body + begin, body + end)
        if links >= FULL_LINKS:
            return True
        if body + end >= len(page):
            break
    return not has_scripts(page)


def has_scripts(page: bytes) -> bool:
    """Whether there is a script in a page at all, as authors write it; without one there is nothing to wait for."""
    return b"<script" in page or b"<SCRIPT" in page or b"<Script" in page


def shown_characters(page: bytes, most: int) -> int:
    """How many characters (bytes, blanks apart) of a page stand outside of silent elements; `most` is enough.

    >>> shown_characters(b"<title>No</title><body><p>two words</p><script>let x = 1</script>", 100)
    8
    """
    begin = _BODY.search(page, 0, MOST_BYTES)
    at, shown = begin.start() if begin else 0, 0
    end = min(len(page), MOST_BYTES)
    while at < end and shown < most:
        mark = _MARK.search(page, at, end)
        text = page[at : mark.start() if mark else end]
        shown += len(_SPACE.sub(b"", text))
        if mark is None:
            break
        at = _behind(page, mark, end)
    return min(shown, most)


def wants_scripts(page: bytes, few: int = FEW_CHARACTERS) -> bool:
    """Whether a page has scripts, shows fewer than so many characters, and leads nowhere else by itself."""
    if shown_characters(page, few) >= few:
        return False
    frame = page[:MOST_BYTES]
    return _SCRIPT.search(frame) is not None and _OTHER_WAY.search(_NO_SCRIPT.sub(b"", frame)) is None


def is_drawing(page: bytes) -> bool:
    """Whether a page has pictures, and no empty element that a script could be meant to fill.

    >>> is_drawing(b"<body><img src=map.png><script src=count.js></script>"), is_drawing(b"<img src=a><div></div>")
    (True, False)
    """
    begin = _BODY.search(page, 0, MOST_BYTES)
    at, end = begin.start() if begin else 0, min(len(page), MOST_BYTES)
    drawn, opened = False, b""
    while mark := _MARK.search(page, at, end):
        name = mark[1].lower()
        if name == b"/" + opened and opened not in _SHAPES and not page[at : mark.start()].strip():
            return False
        drawn = drawn or name in _DRAWN
        opened = name
        at = _behind(page, mark, end)
    return drawn


def _behind(page: bytes, mark: re.Match[bytes], end: int) -> int:
    """The place after a comment, a tag, or a whole silent element."""
    name = mark[1].lower()
    if name == b"!--":
        close = page.find(b"-->", mark.end(), end)
        return end if close < 0 else close + 3
    if name in _SILENT:
        closing = re.compile(rb"</" + name + rb"\s*>", re.IGNORECASE).search(page, mark.end(), end)
        return closing.end() if closing else end
    close = page.find(b">", mark.end(), end)
    return end if close < 0 else close + 1
