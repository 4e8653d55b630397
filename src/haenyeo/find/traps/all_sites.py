"""The traps of all sites, each site on its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from haenyeo.find.traps.site import SiteState, SiteTraps, TrapVerdict
from haenyeo.html.urls import site_of

_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(SiteState)


class Traps:
    """Asked before a link is pushed or popped (`key`, `discount`, `repeats`), told of every page read (`observe`)."""

    def __init__(self) -> None:
        self._sites: dict[str, SiteTraps] = {}
        self._changed: set[str] = set()

    def key(self, url: str) -> str:
        """The address with a star in place of what means nothing; addresses with one key lead to one page."""
        site = self._sites.get(site_of(url))
        return site.key(url) if site else url

    def repeats(self, url: str) -> bool:
        """Whether a page was read whose key, by all that is known now, is that of this address."""
        site = self._sites.get(site_of(url))
        return site.repeats(url) if site else False

    def discount(self, url: str) -> float:
        """What a link's score is to be multiplied with: 1, or less but never 0 for addresses that promise nothing."""
        site = self._sites.get(site_of(url))
        return site.discount(url) if site else 1.0

    def observe(
        self, url: str, text: bytes, new_links: Sequence[str], known_links: int, *, given: bool = False
    ) -> TrapVerdict:
        """Learn from a page that was read for the first time; the links are those into its own site.

        Its text is in UTF-8. The user may have `given` it.
        """
        name = site_of(url)
        site = self._sites.get(name)
        if site is None:
            site = self._sites[name] = SiteTraps()
        self._changed.add(name)
        return site.observe(url, text, new_links, known_links, given=given)

    def dump(self) -> dict[str, bytes]:
        """What was learned about each site that a page was read of since the last call, as bytes to keep."""
        changed, self._changed = self._changed, set()
        return {name: _encoder.encode(self._sites[name].dump()) for name in changed}

    def load(self, states: Mapping[str, bytes]) -> None:
        """Take up what was kept."""
        for name, state in states.items():
            self._sites[name] = SiteTraps.load(_decoder.decode(state))
