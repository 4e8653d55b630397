"""The numbers that addresses are known by, remembered for a while: navigation repeats on every page."""

from __future__ import annotations

from collections.abc import Callable

from haenyeo.model.pages import Url

KEYS_AT_HAND = 30_000  # addresses whose key is remembered, some 250 bytes each


class AddressKeys(dict[Url, int]):
    """The keys of addresses, each found out when it is asked for first."""

    def __init__(self, find: Callable[[Url], int]) -> None:
        super().__init__()
        self._find = find

    def __missing__(self, url: Url) -> int:
        if len(self) >= KEYS_AT_HAND:
            self.clear()
        key = self[url] = self._find(url)
        return key
