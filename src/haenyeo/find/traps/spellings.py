"""Which parts of an address mean nothing? Learned from pages that turn out to be the same under several addresses.

When two addresses with the same text differ in one or two parts only, those parts are suspected. A suspicion counts,
over all addresses that have these parts, the *remainders*: the addresses with the suspected parts left out. Parts are
without meaning, as session numbers are, if each remainder has one text whatever stands in the parts, while different
remainders have different texts. One page that can be had under many addresses is not enough: perhaps all of them say
"not found". And remainders with two texts acquit the parts.

After a conviction, addresses with the same remainder have the same key; except where that remainder itself is known to
have two texts.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from haenyeo.find.traps.address_parts import AddressParts, SplitAddress, may_have
from haenyeo.html.urls import url_hash

Content = tuple[int, int]
"""A page's text, twice: as the digest of the exact text, and as the number of the group of near-duplicates it is in."""

_AGREEMENTS = 3  # times that a remainder had its text again, to convict
_REMAINDERS = 2  # remainders these must come from
_VALUES = 4  # different values that the parts must have had
_TOLERANCE = 10  # agreements that make up for one conflict
_MOST_SUSPICIONS = 8
_MOST_REMAINDERS = 128
_MOST_PROVEN = 4096  # remainders kept after a conviction
_MOST_DIFFERING = 2
_LEVELS = (0, 1)
_OPEN = -1


class Suspicion(msgspec.Struct, array_like=True):
    """What was counted for some parts; pairs are by exact text and by groups of near-duplicates.

    `remainders` has the hash of a remainder with the text it had first and the hash of what stood in the parts then;
    `values` are hashes of what stood there at all; `agreeing` has the remainders that had their text again, and how
    often; `conflicting` those that had another. `level` is 0 or 1 after a conviction: by which of the two it was.
    """

    parts: AddressParts
    level: int = _OPEN
    remainders: dict[int, tuple[Content, int]] = msgspec.field(default_factory=dict)
    values: set[int] = msgspec.field(default_factory=set)
    agreeing: tuple[dict[int, int], dict[int, int]] = msgspec.field(default_factory=lambda: ({}, {}))
    conflicting: tuple[dict[int, int], dict[int, int]] = msgspec.field(default_factory=lambda: ({}, {}))

    def count(self, address: SplitAddress, content: Content) -> None:
        """Count a page that was read."""
        rest = url_hash(address.without(self.parts))
        value = url_hash(address.values(self.parts))
        if len(self.values) < _VALUES:
            self.values.add(value)
        if rest not in self.remainders:
            self._make_room()
            self.remainders[rest] = (content, value)
            return
        first, first_value = self.remainders[rest]
        if value == first_value:
            return
        for level in _LEVELS:
            counts = (self.agreeing if first[level] == content[level] else self.conflicting)[level]
            counts[rest] = counts.get(rest, 0) + 1
        if self.level == _OPEN:
            self.level = next(filter(self._is_sure, _LEVELS), _OPEN)

    @property
    def convicted(self) -> bool:
        """Whether the parts mean nothing."""
        return self.level != _OPEN

    def is_kept_apart(self, rest: int) -> bool:
        """Whether the addresses with this remainder had different texts."""
        return rest in self.conflicting[self.level]

    def is_proven(self, rest: int) -> bool:
        """Whether several addresses with this remainder were read and had one text."""
        return rest in self.agreeing[self.level] and not self.is_kept_apart(rest)

    def _is_sure(self, level: int) -> bool:
        agreements = sum(self.agreeing[level].values())
        conflicts = sum(self.conflicting[level].values())
        if agreements < max(_AGREEMENTS, _TOLERANCE * conflicts) or len(self.values) < _VALUES:
            return False
        contents = {content[level] for content, _ in self.remainders.values()}
        return len(self.agreeing[level]) >= _REMAINDERS and 2 * len(contents) > len(self.remainders)

    def _make_room(self) -> None:
        if len(self.remainders) < (_MOST_REMAINDERS if self.level == _OPEN else _MOST_PROVEN):
            return
        oldest = next(iter(self.remainders))
        for counts in (self.remainders, *self.agreeing, *self.conflicting):
            counts.pop(oldest, None)


class Spellings:
    """The suspicions of one site, and the keys of addresses that follow from the convictions."""

    def __init__(self, suspicions: Iterable[Suspicion] = ()) -> None:
        self.suspicions = {suspicion.parts: suspicion for suspicion in suspicions}
        self._convicted: list[Suspicion] = []
        self._convict()

    @property
    def convicted(self) -> bool:
        """Whether any parts are known to mean nothing."""
        return bool(self._convicted)

    def key(self, url: str) -> str:
        """The address with a star in place of what means nothing."""
        if not self._convicted:
            return url
        address = SplitAddress(url)
        stars = tuple(
            part
            for suspicion in self._convicted
            if address.has(suspicion.parts) and not suspicion.is_kept_apart(url_hash(address.without(suspicion.parts)))
            for part in suspicion.parts
        )
        return address.without(stars) if stars else url

    def repeats(self, url: str) -> bool:
        """Whether the page was read before, twice, under addresses that differ from this one in nothing that counts."""
        if not self._convicted:
            return False
        address = SplitAddress(url)
        return any(
            address.has(suspicion.parts) and suspicion.is_proven(url_hash(address.without(suspicion.parts)))
            for suspicion in self._convicted
        )

    def count(self, url: str, content: Content) -> bool:
        """Count a page that was read; returns True if addresses have another key from now on."""
        concerned = [suspicion for suspicion in self.suspicions.values() if may_have(url, suspicion.parts)]
        if not concerned:
            return False
        address = SplitAddress(url)
        for suspicion in concerned:
            if address.has(suspicion.parts):
                suspicion.count(address, content)
        return self._convict()

    def suspect(self, url: str, same: str, pages: Iterable[tuple[str, Content]]) -> bool:
        """Suspect the parts in which two addresses with the same text differ; returns the same as `count`.

        `pages` are other pages of the site, by which the suspicion is judged.
        """
        parts = SplitAddress(url).differing(SplitAddress(same))
        if not 0 < len(parts) <= _MOST_DIFFERING or parts in self.suspicions:
            return False
        suspicion = self.suspicions[parts] = Suspicion(parts)
        for other, content in pages:
            if may_have(other, parts) and (address := SplitAddress(other)).has(parts):
                suspicion.count(address, content)
        still_open = [key for key, kept in self.suspicions.items() if not kept.convicted]
        for oldest in still_open[:-_MOST_SUSPICIONS]:
            del self.suspicions[oldest]
        return self._convict()

    def _convict(self) -> bool:
        before = len(self._convicted)
        self._convicted = [suspicion for suspicion in self.suspicions.values() if suspicion.convicted]
        return len(self._convicted) > before
