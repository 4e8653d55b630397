"""Are the links of a page or list worth believing in? Not when most of those that were tried led nowhere.

A sitemap may name a million pages that are gone. Its links lose worth step by step as they turn out dead, so that all
others come first; when some of them are alive after all they gain it back. The loss is the square of the share that is
alive, so that a list of the dead falls behind pages many links away.
"""

from __future__ import annotations

import math

from haenyeo.model.pages import Url

BENEFIT_OF_DOUBT = 3  # links that count as alive before any was tried
MOSTLY = 0.5  # alive: above this share nothing is lost
LEAST = 1 / 64
MOST_SOURCES = 10_000


class Credit:
    """What became of the links of each source; true once any has lost credit. Sources of no dead link cost nothing."""

    def __init__(self) -> None:
        self._tried: dict[Url, tuple[int, int]] = {}
        self._factors: dict[Url, float] = {}

    def __bool__(self) -> bool:
        return bool(self._tried)

    def count(self, source: Url, *, alive: bool) -> None:
        """A link of this source was tried; its factor moves by halves, so that few links have to be put in order."""
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

    def factor(self, source: Url | None) -> float:
        """What the worth of this source's links is to be multiplied with.

        >>> credit = Credit()
        >>> for _ in range(9): credit.count(Url("http://a.example/sitemap.xml"), alive=False)
        >>> credit.factor(Url("http://a.example/sitemap.xml"))
        0.0625
        """
        return self._factors.get(source, 1.0) if source else 1.0
