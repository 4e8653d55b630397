"""Lists first, then the items they name, none twice (Cho, Lee & Choi 2013, section 3.3).

The pages of a shop or board are given as regular expressions: those of its lists, by category, and those of its items.
A map from category to the set of its items prevents fetching one twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping


class ItemMap:
    """Which items belong to which category; `lists` maps a category to the pattern of its list pages."""

    def __init__(self, lists: Mapping[str, str], item: str) -> None:
        self._lists = {category: re.compile(pattern) for category, pattern in lists.items()}
        self._item = re.compile(item)
        self._items: dict[str, set[str]] = {category: set() for category in lists}

    def category(self, url: str) -> str | None:
        """The category whose list this page is, if it is one."""
        return next((name for name, pattern in self._lists.items() if pattern.search(url)), None)

    def found(self, list_url: str, links: Iterable[str]) -> list[str]:
        """The items on a list page that its category did not have yet, in order."""
        category = self.category(list_url)
        if category is None:
            return []
        items = self._items[category]
        new = [link for link in dict.fromkeys(links) if self._item.search(link) and link not in items]
        items.update(new)
        return new

    def items(self, category: str) -> frozenset[str]:
        """The items of a category known so far."""
        return frozenset(self._items.get(category, ()))

    def in_order(self, urls: Iterable[str]) -> list[str]:
        """The pages in the order in which they are fetched: lists before items."""
        return sorted(urls, key=lambda url: self.category(url) is None)
