"""Pages that show their text only to readers without scripts: it stands in `noscript` elements, which are opened."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

from haenyeo.model.pages import Markup

LITTLE_TEXT = 2_000
"""Characters: a page that has more outside of `noscript` elements is read as it is."""

_Page = TypeVar("_Page", str, bytes)

_TAG = re.compile(r"<(/?)noscript(?=[\s/>])", re.IGNORECASE)
_TAG_IN_BYTES = re.compile(rb"<(/?)noscript(?=[\s/>])", re.IGNORECASE)
_TIMES = 2  # as much text as before: a notice that scripts are needed is less


def opened(html: _Page) -> _Page:
    """The page with a plain element for each `noscript` element.

    >>> opened("<NoScript class=a>Tides</noscript>")
    '<div class=a>Tides</div>'
    """
    if isinstance(html, str):
        return _TAG.sub(r"<\1div", html)
    return _TAG_IN_BYTES.sub(rb"<\1div", html)


def with_hidden_text(found: Markup, html: _Page, parse: Callable[[_Page], Markup]) -> Markup:
    """What was found of a page; or of the page with its `noscript` elements opened, if nearly all its text is in them.

    Such are forums that build their pages with scripts. `parse` reads the page once more.
    """
    size = sum([len(block.text) for block in found.blocks])
    if size > LITTLE_TEXT or opened(html) == html:
        return found
    other = parse(opened(html))
    return other if sum([len(block.text) for block in other.blocks]) > _TIMES * size + LITTLE_TEXT // 10 else found
