"""Which parts of an address mean nothing? Learned from pages that turn out to be the same under several addresses.

When two addresses with the same text differ in one or two parts only, those parts are suspected. A suspicion counts,
over all addresses that have these parts, the *remainders*: the addresses with the suspected parts left out. Parts are
without meaning, as session numbers are, if each remainder has one text whatever stands in the parts, while different
remainders have different texts. One page that can be had under many addresses is not enough: perhaps all of them say
"not found". And remainders with two texts acquit the parts.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from haenyeo.find.seen import url_hash
from haenyeo.find.traps.addresses import Address, Parts

Content = tuple[int, int]
"""A page's text, twice: as the digest of the exact text, and as the number of the group of near-duplicates it is in."""

_AGREEMENTS = 3  # times that a remainder had its text again, to convict
_REMAINDERS = 2  # remainders these must come from
_VALUES = 4  # different values that the parts must have had
_TOLERANCE = 10  # agreements that make up for one conflict
_MOST_SUSPICIONS = 8
_MOST_REMAINDERS = 128
_MOST_DIFFERING = 2


class Suspicion(msgspec.Struct, array_like=True):
    """What was counted for some parts; lists of two are by exact text and by groups of near-duplicates.

    `remainders` has the hash of a remainder with the text it had first and the hash of the parts it had then; `values`
    are hashes of what the parts were.
    """

    parts: Parts
    convicted: bool = False
    remainders: dict[int, tuple[Content, int]] = msgspec.field(default_factory=dict)
    values: set[int] = msgspec.field(default_factory=set)
    agreeing: tuple[dict[int, int], dict[int, int]] = msgspec.field(default_factory=lambda: ({}, {}))
    conflicts: list[int] = msgspec.field(default_factory=lambda: [0, 0])

    def count(self, address: Address, content: Content) -> None:
        """Take in a page that was read."""
        rest = url_hash(address.without(self.parts))
        value = url_hash(address.values(self.parts))
        if len(self.values) < _VALUES:
            self.values.add(value)
        if rest not in self.remainders:
            if len(self.remainders) >= _MOST_REMAINDERS:
                del self.remainders[next(iter(self.remainders))]
            self.remainders[rest] = (content, value)
            return
        first, first_value = self.remainders[rest]
        if value != first_value:
            for level in (0, 1):
                self._compare(level, rest, agree=first[level] == content[level])
            self.convicted = self.convicted or self._is_sure(0) or self._is_sure(1)

    def _compare(self, level: int, rest: int, *, agree: bool) -> None:
        if agree:
            self.agreeing[level][rest] = self.agreeing[level].get(rest, 0) + 1
        else:
            self.conflicts[level] += 1

    def _is_sure(self, level: int) -> bool:
        agreements = sum(self.agreeing[level].values())
        if agreements < max(_AGREEMENTS, _TOLERANCE * self.conflicts[level]) or len(self.values) < _VALUES:
            return False
        contents = {content[level] for content, _ in self.remainders.values()}
        return len(self.agreeing[level]) >= _REMAINDERS and 2 * len(contents) > len(self.remainders)


class Spellings:
    """The suspicions of one site, and the keys of addresses that follow from the convictions."""

    def __init__(self, suspicions: Iterable[Suspicion] = ()) -> None:
        self.suspicions = {suspicion.parts: suspicion for suspicion in suspicions}
        self._convicted = [parts for parts, suspicion in self.suspicions.items() if suspicion.convicted]

    def key(self, url: str) -> str:
        """The address with a star in place of what means nothing."""
        if not self._convicted:
            return url
        address = Address(url)
        stars = tuple(part for parts in self._convicted if address.has(parts) for part in parts)
        return address.without(stars) if stars else url

    def repeats(self, url: str) -> bool:
        """Whether a page was read already whose address differs from this one in nothing that means something."""
        if not self._convicted:
            return False
        address = Address(url)
        return any(
            url_hash(address.without(parts)) in self.suspicions[parts].remainders
            for parts in self._convicted
            if address.has(parts)
        )

    def count(self, url: str, content: Content) -> bool:
        """Take in a page that was read; True if its address, or others, have a new key from now on."""
        if not self.suspicions:
            return False
        address = Address(url)
        for suspicion in self.suspicions.values():
            if address.has(suspicion.parts):
                suspicion.count(address, content)
        return self._convict()

    def suspect(self, url: str, same: str, pages: Iterable[tuple[str, Content]]) -> bool:
        """Two addresses had the same text; `pages` are others of the site to judge by. True as for `count`."""
        parts = Address(url).differing(Address(same))
        if not 0 < len(parts) <= _MOST_DIFFERING or parts in self.suspicions:
            return False
        suspicion = Suspicion(parts)
        for other, content in pages:
            address = Address(other)
            if address.has(parts):
                suspicion.count(address, content)
        for weakest in [key for key, kept in self.suspicions.items() if not kept.convicted][_MOST_SUSPICIONS - 1 :]:
            del self.suspicions[weakest]
        self.suspicions[parts] = suspicion
        return self._convict()

    def _convict(self) -> bool:
        before = len(self._convicted)
        self._convicted = [parts for parts, suspicion in self.suspicions.items() if suspicion.convicted]
        return len(self._convicted) > before
