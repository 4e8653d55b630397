"""Which pages of a crawl wait to be settled? Written down, so that another crawl can settle them if this one dies."""

from __future__ import annotations

import msgspec

from haenyeo.model.pages import Url
from haenyeo.store import PartState, Store

PART = "read-unsettled"
"""The part under whose name the store has the waiting pages; its keys are numbers that sites take turns in having."""

_decoder = msgspec.msgpack.Decoder(tuple[str, tuple[Url, ...]])


class Unsettled:
    """The waiting pages of the sites in memory; `left` are those of an earlier crawl that did not come to its end."""

    def __init__(self, store: Store) -> None:
        self._numbers: dict[str, int] = {}
        self._free: list[int] = []
        self.left: dict[str, tuple[Url, ...]] = {}
        for key, value in store.states(PART):
            if value:
                site, urls = _decoder.decode(value)
                self._numbers[site], self.left[site] = int(key), urls
            else:
                self._free.append(int(key))

    def states(self, site: str, urls: tuple[Url, ...]) -> tuple[PartState, ...]:
        """What is to be stored now that these pages of a site wait; nothing if none does and none did."""
        if not urls and site not in self._numbers:
            return ()
        number = self._numbers.pop(site) if not urls else self._number_of(site)
        if not urls:
            self._free.append(number)
        value = msgspec.msgpack.encode((site, urls)) if urls else b""
        return (PartState(part=PART, key=str(number), value=value),)

    def _number_of(self, site: str) -> int:
        if site not in self._numbers:
            self._numbers[site] = self._free.pop() if self._free else len(self._numbers)
        return self._numbers[site]
