"""What of a page's changes is not worth telling: what the user ignores, counters, and lines that take turns.

A line in which nothing but numbers changed, three changes in a row with nothing else in them, is a counter of the page:
from then on it is noise. So are lines that come and go by turns in small changes, as advertisements do, once three of
them have done so three times; two that take turns are a state, such as "sold out", and are always told. Lines with
prices are never taken for either. A page whose lines have only changed places, three changes in a row, is put in
another order at each visit: that is told no more.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

import msgspec

from haenyeo.collect.adapters.watching.watchlist import WatchedPage, Watchlist
from haenyeo.model.pages import Url
from haenyeo.store import PartState, Store
from haenyeo.watch.content import ContentChange

PART = "noise"
TIMES = 3
"""Trivial changes in a row after which a line is noise."""
MOST_LINES = 20
"""Lines of a page that are remembered."""
TURNS = 3
"""Lines that must take turns before one of them is noise."""
_TURNING = "\x00"  # before a line that came or went, among the shapes of counters
_MOVING = "\x01"  # stands for changes in which lines moved and nothing else
_LONGEST = 300
_FEW = 3
_NUMBER = re.compile(r"\d[\d.,]*")
_PRICED = re.compile(r"[$€£¥₩]|\b(?:usd|eur|gbp|krw)\b|원|円|元", re.IGNORECASE)
_encoder, _decoder = msgspec.json.Encoder(), msgspec.json.Decoder(dict[str, int])


class Noise:
    """What does not count, page by page."""

    def __init__(self, store: Store) -> None:
        self._store = store
        pages = list(Watchlist(store))
        self._wishes = {url: page for page in pages if page.ignore or page.least for url in page.addresses}

    def ignored(self, url: Url) -> Callable[[str], bool]:
        """Says of a line of the page that came or went whether it does not count."""
        patterns = [re.compile(pattern) for pattern in self._wish(url).ignore] if url in self._wishes else []
        noise = _noise(self._seen(url))
        return lambda line: (
            _shape(line) in noise or _TURNING + line in noise or any(pattern.search(line) for pattern in patterns)
        )

    def too_little(self, url: Url, change: ContentChange) -> bool:
        """Whether a change is below what the user wants to hear of, or the page has another order all the time."""
        if not change.changed and self._seen(url).get(_MOVING, 0) >= TIMES:
            return True
        return url in self._wishes and change.share < self._wish(url).least

    def learn(self, url: Url, change: ContentChange) -> Sequence[PartState]:
        """Take a change in; the state is for the store."""
        seen = self._seen(url)
        shapes = (_counters(change) or _turning(change)) if change.changed else [_MOVING]
        if not shapes and not seen:
            return ()
        known = {line: times for line, times in seen.items() if times >= TIMES or line in shapes or line[0] == _TURNING}
        counted = known | {line: min(seen.get(line, 0) + 1, TIMES) for line in shapes}
        if counted == seen:
            return ()
        kept = dict(sorted(counted.items(), key=lambda each: each[1])[-MOST_LINES:])
        return [PartState(part=PART, key=url, value=_encoder.encode(kept))]

    def _wish(self, url: Url) -> WatchedPage:
        return self._wishes[url]

    def _seen(self, url: Url) -> dict[str, int]:
        value = self._store.state(PART, url)
        return _decoder.decode(value) if value else {}


def _counters(change: ContentChange) -> list[str]:
    """The shapes of the lines in which only numbers changed, if that is all that changed."""
    if not change.edited or change.added or change.removed or change.lines > _FEW:
        return []
    shapes = [(_shape(edit.before), _shape(edit.after)) for edit in change.edited]
    if any(before != after or _PRICED.search(after) for before, after in shapes):
        return []
    return [after for _, after in shapes]


def _noise(seen: Mapping[str, int]) -> set[str]:
    """The shapes and lines that no longer count, of all that were seen so often."""
    often = {line for line, times in seen.items() if times >= TIMES}
    turning = {line for line in often if line[0] == _TURNING}
    return often if len(turning) >= TURNS else often - turning


def _turning(change: ContentChange) -> list[str]:
    """The lines that came and went in a change, if it is so small that they may take turns."""
    if change.lines > _FEW:
        return []
    lines = [*change.added, *change.removed, *(line for edit in change.edited for line in (edit.before, edit.after))]
    return [_TURNING + line for line in lines if len(line) <= _LONGEST and not _PRICED.search(line)]


def _shape(line: str) -> str:
    return _NUMBER.sub("#", line)
