"""Flattens a page whose elements are nested deeper than anyone could mean."""

from __future__ import annotations

import re
from collections import Counter

MAX_NESTING = 256
"""Elements inside each other; the tags of deeper ones are dropped, and what they hold stays."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Comments, and elements whose content holds no tags, are passed over whole. Here as in `guard` no group is repeated
# possessively that may fail halfway: Python before 3.11.5 would go on from there.
_TAG = re.compile(
    r"<!--(?:-?>|(?s:.*?)(?:--!?>|\Z))"
    r"|<((?i:iframe|script|style|textarea|title|xmp))(?=[\s/>])[^<>]*+>(?s:.*?)(?=</(?i:\1)[\s/>]|\Z)"
    r"""|<(/?+)([a-zA-Z][^\s/>]*+)[^>=]*+(?:=\s*+(?:"[^"]*+"|'[^']*+')?+[^>=]*+)*+(?:>|\Z)"""
)
# Elements that hold nothing, that end with the next of their kind, or on which links and hidden text depend.
_NOT_COUNTED = _words(
    """a area base br caption col colgroup dd dt embed frame head hr iframe img input li link meta noscript optgroup
    option p param rp rt script source style tbody td template textarea tfoot th thead title tr track wbr xmp"""
)
_ONLY_ONCE = frozenset({"body", "html"})
# Inside of drawings and formulas every element counts, until one of these ends them.
_DRAWINGS = ("math", "svg")
_BREAK_OUT = _words(
    """b big blockquote br center code dd div dl dt em embed font h1 h2 h3 h4 h5 h6 head hr i img li listing menu
    meta nobr ol p pre ruby s small span strike strong sub sup table tt u ul var"""
)
# No end tag reaches out of these.
_FENCES = frozenset({"applet", "marquee", "math", "object", "select", "svg", "table"})
# The end tag of any other element reaches out of those of its kind only, or out of none.
_FAR_REACHING = _words(
    """address applet article aside b big blockquote button center code details dialog dir div dl em fieldset figcaption
    figure font footer form h1 h2 h3 h4 h5 h6 header hgroup i listing main marquee menu nav nobr object ol pre s search
    section select small strike strong summary table tt u ul"""
)


def flattened(html: str) -> str:
    """The page without the tags of elements nested too deep; the page itself if there are none."""
    nesting = _Nesting()
    kept, end = [], 0
    for found in _TAG.finditer(html):
        if found[3] and not nesting.admits(found[3].lower(), is_end=bool(found[2])):
            kept.append(html[end : found.start()])
            end = found.end()
    # The blank keeps what stood before and behind a dropped tag from becoming a tag together.
    return " ".join([*kept, html[end:]]) if kept else html


class _Nesting:
    """The elements open at one point of a page; near enough to the parser's own account to bound their number."""

    def __init__(self) -> None:
        self.open: list[str] = []
        self.counts: Counter[str] = Counter()
        self.dropped: Counter[str] = Counter()

    def admits(self, name: str, *, is_end: bool) -> bool:
        """Whether the page's next tag may stay; counts the tag in both cases."""
        if name in _ONLY_ONCE:
            self.counts[name] += not is_end
            return is_end or self.counts[name] == 1
        if name in _BREAK_OUT and not is_end:
            self._end_drawings()
        if name in _NOT_COUNTED and not any(map(self.counts.__getitem__, _DRAWINGS)):
            return True
        return self._admits_end(name) if is_end else self._admits_start(name)

    def _admits_start(self, name: str) -> bool:
        if len(self.open) >= MAX_NESTING:
            self.dropped[name] += 1
            return False
        self.open.append(name)
        self.counts[name] += 1
        return True

    def _admits_end(self, name: str) -> bool:
        if self.dropped[name]:
            self.dropped[name] -= 1
            return False
        if self.counts[name]:
            self._close(name)
        return True

    def _end_drawings(self) -> None:
        for drawing in _DRAWINGS:
            if self.counts[drawing]:
                self._close_from(self.open.index(drawing))

    def _close_from(self, index: int) -> None:
        self.counts.subtract(self.open[index:])
        del self.open[index:]

    def _close(self, name: str) -> None:
        fences = _FENCES if name in _FAR_REACHING else _FAR_REACHING
        for index in range(len(self.open) - 1, -1, -1):
            if self.open[index] == name:
                self._close_from(index)
                return
            if self.open[index] in fences:
                return
