"""Lists first, then the items they name, none twice (Cho, Lee & Choi 2013, section 3.3 and figure 2).

A site is described by patterns of the addresses of its lists and of its items. A map from each category, which is a
kind of lists, to the set of its items prevents fetching one twice, as a crawler with a queue may.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from haenyeo.model.pages import Url
from haenyeo.watch.address_patterns import matches


class CategoryPatterns(NamedTuple):
    """The patterns of a category's lists, and of the items they name."""

    lists: Sequence[str]
    items: Sequence[str]


class ItemMap:
    """Which items belong to which category, as far as lists have named them.

    >>> shop = ItemMap({"divers": CategoryPatterns(["https://a.example/goods"], ["https://a.example/p/[0-9]+"])})
    >>> shop.found("https://a.example/goods", ["https://a.example/p/1", "https://a.example/cart"])
    ['https://a.example/p/1']
    >>> shop.found("https://a.example/goods", ["https://a.example/p/1", "https://a.example/p/2"])
    ['https://a.example/p/2']
    """

    def __init__(self, patterns: Mapping[str, CategoryPatterns]) -> None:
        self._patterns = patterns
        self._items: dict[str, set[str]] = {category: set() for category in patterns}

    def category(self, url: str) -> str | None:
        """The category whose list this page is, if it is one."""
        return next((name for name, each in self._patterns.items() if matches(each.lists, url)), None)

    def found(self, list_url: str, links: Iterable[str]) -> list[Url]:
        """The items that a list page names and its category did not have yet, in order."""
        category = self.category(list_url)
        if category is None:
            return []
        known, patterns = self._items[category], self._patterns[category].items
        new = [Url(link) for link in dict.fromkeys(links) if link not in known and matches(patterns, link)]
        known.update(new)
        return new

    def in_order(self, urls: Iterable[Url]) -> list[Url]:
        """The pages in the order in which they are fetched: lists before items, else as they came."""
        if not self._patterns:
            return list(urls)
        return sorted(urls, key=lambda url: self.category(url) is None)
