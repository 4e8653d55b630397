"""What a layout is, and what a change of it is."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from haenyeo.watch.paths import Path, page_paths
from haenyeo.watch.tokens import source_tokens


class PageLayout(msgspec.Struct, frozen=True, kw_only=True):
    """One page's structure without its words: its paths and the tags and texts of its source."""

    paths: tuple[Path, ...]
    tokens: tuple[str, ...]


class Layout(msgspec.Struct, frozen=True, kw_only=True):
    """The structure that pages of one kind share, as seen on each of them.

    With two pages or more a watcher can tell what belongs to the layout from what belongs to a page.
    """

    pages: tuple[PageLayout, ...]


class LayoutChange(msgspec.Struct, frozen=True, kw_only=True):
    """What a watcher found.

    `alarm`: what was extracted from here is gone or changed its nature. `notice`: the structure changed, extraction may
    go on. `score` is 0 for the same layout and 1 when nothing of it is left; `why` says what was seen, a finding each.
    """

    alarm: bool = False
    notice: bool = False
    score: float = 0.0
    why: tuple[str, ...] = ()


def describe_layout(pages: Iterable[str]) -> Layout:
    """The layout of pages of one kind, given as HTML; two pages describe it much better than one."""
    return Layout(pages=tuple(PageLayout(paths=page_paths(html), tokens=source_tokens(html)) for html in pages))
