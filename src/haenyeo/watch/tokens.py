"""A page's source as a sequence of tags and texts, without building its tree.

The tree repairs markup: it moves what stands between table cells out of the table and drops tags inside options. For
telling whether the markup itself changed, the source is the better witness.
"""

from __future__ import annotations

import re

from xxhash import xxh32_hexdigest

TEXT_MARK = "#"
"""First character of a text's token; the rest is a hash of the text."""

_HIDDEN = re.compile(r"<!--|<script\b|<style\b")
_ENDS = {"<!--": "-->", "<script": "</script", "<style": "</style"}
_TAG = re.compile(r"<(/?[a-z][a-z0-9]*)[^>]*>\s*([^<]*)")


def source_tokens(html: str) -> tuple[str, ...]:
    """The body's tags, such as `td` and `/td`, and texts, such as `#1f3c9a02`, in the order of the source.

    A text's token tells whether two texts are the same, not what they say. Attributes, comments, scripts and styles
    are left out. A `>` inside an attribute's value ends the tag.
    """
    source = _visible(_body(html.lower()))
    tokens: list[str] = []
    for tag, text in _TAG.findall(source):
        tokens.append(tag)
        if text:
            tokens.append(TEXT_MARK + xxh32_hexdigest(text.rstrip().encode("utf-8", "surrogatepass")))
    return tuple(tokens)


def _body(html: str) -> str:
    start = html.find("<body")
    if start < 0:
        start = max(html.find("</head"), 0)
    return html[start:]


def _visible(html: str) -> str:
    """The source without comments, scripts and styles, cut behind its last tag so that every tag has an end."""
    pieces = []
    position = 0
    while hidden := _HIDDEN.search(html, position):
        pieces.append(html[position : hidden.start()])
        end = html.find(_ENDS[hidden[0]], hidden.end())
        if end < 0:
            position = len(html)
            break
        position = end if hidden[0] != "<!--" else end + len("-->")
    pieces.append(html[position:])
    source = "".join(pieces)
    last = source.rfind(">")
    return source[: last + 1] + source[last + 1 :].partition("<")[0]
