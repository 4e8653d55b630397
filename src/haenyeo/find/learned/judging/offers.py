"""Is a page named beside the examples in a list that the user began with?

Whoever gives a chapter's contents or a page of a tag to start with, and likes some of the pages listed there, means the
others as well, whatever words they have. How much that says hangs on how select the list is: the contents of a whole
book name everything that is fetched, so that a page of the topic stands there as surely as any other. The evidence is
the logarithm of how many times more often a page of the topic stands in the list than any page that was fetched, or
does not; the examples tell the former, and one more page, taken to be like all others, keeps few of them from saying
too much.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from math import log
from typing import NamedTuple

from haenyeo.find.learned.judging.linkage import PageLinking


class Offers(NamedTuple):
    """How strongly pages, by their marks, are offered beside examples, and what it says that all others are not."""

    named: dict[int, float]
    others: float = 0.0

    def of(self, mark: int) -> float:
        """What lists say of a page, in log-odds."""
        return self.named.get(mark, self.others)


NOTHING_OFFERED = Offers({})


def offered(pages: Iterable[PageLinking], likes: Collection[int], fetched: set[int]) -> Offers:
    """What lists say beside the examples that have these marks; of several that which says most.

    `pages` have the lists, `fetched` are the marks of all pages that were.
    """
    wanted, found, others = set(likes), dict[int, float](), 0.0
    for page in pages:
        for offer in page.offers.tolist():
            named = page.named_in(offer)
            both = len(named & wanted)
            if both:
                usual = (len(named & fetched) + 1) / (len(fetched) + 2)
                inside = log((both + usual) / (len(wanted) + 1) / usual)
                found.update({mark: inside for mark in named if inside > found.get(mark, 0.0)})
                others = min(others, log((len(wanted) - both + 1 - usual) / (len(wanted) + 1) / (1 - usual)))
    return Offers(found, others)


def offers_some(page: PageLinking, likes: Collection[int]) -> bool:
    """Whether a list of this page names an example."""
    return any(not page.named_in(offer).isdisjoint(likes) for offer in page.offers.tolist())
