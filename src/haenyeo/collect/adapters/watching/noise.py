"""What of a page's changes is not worth telling: what the user ignores, and numbers that are another at each visit.

A line in which nothing but numbers changed, three changes in a row with nothing else in them, is a counter of the page:
from then on it is noise. Lines with prices are never taken for that.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

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
        counters = {line for line, times in self._seen(url).items() if times >= TIMES}
        return lambda line: _shape(line) in counters or any(pattern.search(line) for pattern in patterns)

    def too_little(self, url: Url, change: ContentChange) -> bool:
        """Whether a change is below what the user wants to hear of."""
        return url in self._wishes and change.share < self._wish(url).least

    def learn(self, url: Url, change: ContentChange) -> Sequence[PartState]:
        """Take a change in; the state is for the store."""
        seen = self._seen(url)
        shapes = _counters(change)
        if not shapes and not seen:
            return ()
        known = {line: times for line, times in seen.items() if times >= TIMES or line in shapes}
        counted = known | {line: min(seen.get(line, 0) + 1, TIMES) for line in shapes}
        if counted == seen:
            return ()
        kept = dict(list(counted.items())[-MOST_LINES:])
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


def _shape(line: str) -> str:
    return _NUMBER.sub("#", line)
