"""Is a page named beside the examples in a list that the user began with?

Whoever gives a chapter's contents or a page of a tag to start with, and likes some of the pages listed there, means the
others as well, whatever words they have. On five webs hardly any page so named is off the topic. A list that names a
good part of all pages says little.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from math import log

from haenyeo.find.learned.judging.linkage import PageLinking

_FEWEST_KNOWN = 1_000  # pages a web is taken to have, however few are known yet


def offered(pages: Iterable[PageLinking], likes: Collection[int], known: int) -> dict[int, float]:
    """How strongly each page, by its mark, is offered beside the examples that have these marks, 0 to 1.

    `pages` have the lists, `known` is the number of pages that are known at all.
    """
    wanted, found = set(likes), dict[int, float]()
    for page in pages:
        for offer in page.offers.tolist():
            named = page.named_in(offer)
            both = len(named & wanted)
            if both:
                value = both / len(wanted) * _rarity(len(named), known)
                found.update({mark: max(value, found.get(mark, 0.0)) for mark in named})
    return found


def offers_some(page: PageLinking, likes: Collection[int]) -> bool:
    """Whether a list of this page names an example."""
    return any(not page.named_in(offer).isdisjoint(likes) for offer in page.offers.tolist())


def _rarity(named: int, known: int) -> float:
    return max(0.0, 1 - log(named) / log(max(known, _FEWEST_KNOWN)))
