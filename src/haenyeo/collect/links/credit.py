"""Are the links of a page or list worth believing in? Not when most of those that were tried led nowhere.

A sitemap may name a million pages that are gone. Its links lose worth step by step as they turn out dead, so that all
others come first; when some of them are alive after all they gain it back. The loss is the square of the share that is
alive, so that a list of the dead falls behind pages many links away. A scorer that learns from dead links as from any
others knows better which links of a page they are like, so it can have the links of pages left to it.
"""

from __future__ import annotations

import math

from haenyeo.model.pages import Url
from haenyeo.store import StoredLink

BENEFIT_OF_DOUBT = 3  # links that count as alive before any was tried
MOSTLY = 0.5  # alive: above this share nothing is lost
LEAST = 1 / 64
MOST_SOURCES = 10_000


class Credit:
    """What became of the links of each source; true once any has lost credit. Sources of no dead link cost nothing.

    With `lists_only` the links of pages, which stand at some place, lose nothing.
    """

    def __init__(self) -> None:
        self.lists_only = False
        self._tried: dict[Url, tuple[int, int]] = {}
        self._factors: dict[Url, float] = {}

    def __bool__(self) -> bool:
        return bool(self._tried)

    def count(self, link: StoredLink, *, alive: bool) -> None:
        """A link was tried; its source's factor moves by halves, so that few links have to be put in order."""
        source = self._source_of(link)
        if source is None:
            return
        if source not in self._tried:
            if alive:
                return
            if len(self._tried) >= MOST_SOURCES:
                self._factors.pop(oldest := next(iter(self._tried)), None)
                del self._tried[oldest]
        good, dead = self._tried.get(source, (0, 0))
        good, dead = good + alive, dead + (not alive)
        self._tried[source] = good, dead
        share = (good + BENEFIT_OF_DOUBT) / (good + dead + BENEFIT_OF_DOUBT)
        self._factors[source] = 1.0 if share > MOSTLY else max(LEAST, 2.0 ** math.ceil(2 * math.log2(share)))

    def factor(self, link: StoredLink) -> float:
        """What the worth of a link is to be multiplied with."""
        source = self._source_of(link)
        return self._factors.get(source, 1.0) if source else 1.0

    def _source_of(self, link: StoredLink) -> Url | None:
        return None if self.lists_only and link.path else link.source
