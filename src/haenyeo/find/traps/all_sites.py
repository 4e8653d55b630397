"""The traps of all sites, each site on its own; those met last are in memory, the others are kept elsewhere.

A site that was not met lately is packed, eight marks to a byte. Packed sites wait in memory for a while, because a
crawl that goes round many sites comes back to each of them, and writing each time would cost more than the page. Only
when there are too many bytes of them are the oldest handed to `put`.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence

import msgspec

from haenyeo.find.traps.fingerprint import TextFingerprint
from haenyeo.find.traps.site import SiteState, SiteTraps, TrapVerdict, is_respelled
from haenyeo.html.urls import site_of

MOST_SITES = 64
"""Sites in memory unpacked, about ten kilobytes each at first and some hundred at most."""
MOST_PACKED_BYTES = 10 << 20
MOST_NOTED = 100_000  # sites of which something simple is remembered, so that they need not be fetched

_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(SiteState)


class Traps:
    """Asked before a link is pushed or popped (`key`, `discount`, `repeats`), told of every page read (`observe`).

    `load` gives what `put` was given for a site, at any time before; without them it is kept in memory.
    """

    def __init__(
        self,
        load: Callable[[str], bytes | None] | None = None,
        put: Callable[[str, bytes], None] | None = None,
    ) -> None:
        kept: dict[str, bytes] = {}
        self._load, self._put = load or kept.get, put or kept.__setitem__
        self._sites: OrderedDict[str, SiteTraps] = OrderedDict()
        self._changed: set[str] = set()
        self._packed: OrderedDict[str, bytes] = OrderedDict()
        self._packed_bytes = 0
        self._plain: set[str] = set()
        self._generous: set[str] = set()

    def key(self, url: str) -> str:
        """The address with a star in place of what means nothing; addresses with one key lead to one page."""
        site = self._respelled(site_of(url))
        return site.key(url) if site else url

    def repeats(self, url: str) -> bool:
        """Whether a page was read whose key, by all that is known now, is that of this address."""
        site = self._respelled(site_of(url))
        return site.repeats(url) if site else False

    def discount(self, url: str) -> float:
        """What a link's score is to be multiplied with: 1, or less but never 0 for addresses that promise nothing."""
        name = site_of(url)
        if name in self._generous and name not in self._sites:
            return 1.0
        site = self._site(name)
        return site.discount(url) if site else 1.0

    def suspects(self, url: str, text: bytes, page: TextFingerprint) -> bool:
        """Whether `observe` would suspect a page."""
        site = self._site(site_of(url))
        return site is not None and site.suspects(url, text, page)

    def has_read(self, url: str, page: TextFingerprint) -> bool:
        """Whether the site of this address has the very same text at another one."""
        site = self._site(site_of(url))
        return site is not None and site.has_read(page)

    def observe(
        self,
        url: str,
        text: bytes,
        new_links: Sequence[str],
        known_links: int,
        *,
        given: bool = False,
        page: TextFingerprint | None = None,
    ) -> TrapVerdict:
        """Learn from a page that was read for the first time; the links are those into its own site.

        Its text is in UTF-8, `page` is the text's fingerprint if it was taken. The user may have `given` the page.
        """
        name = site_of(url)
        site = self._site(name) or self._hold(name, SiteTraps())
        self._changed.add(name)
        verdict = site.observe(url, text, new_links, known_links, given=given, page=page)
        if verdict.respelled:
            self._plain.discard(name)
        return verdict

    def remember(self) -> None:
        """Hand what was learned since the last call, and not handed over yet, to `put`."""
        for name in self._changed:
            self._put(name, _encoder.encode(self._sites[name].dump()))
        self._changed.clear()
        self._put_packed(0)

    def _site(self, name: str) -> SiteTraps | None:
        """What is known of a site, fetched if it was put aside; None if no page of it was read."""
        site = self._sites.get(name)
        if site is not None:
            self._sites.move_to_end(name)
            return site
        state = self._state(name)
        if state is None:
            return None
        if self._packed.pop(name, None) is not None:
            self._packed_bytes -= len(state)
            self._changed.add(name)
        return self._hold(name, SiteTraps.load(_decoder.decode(state)))

    def _respelled(self, name: str) -> SiteTraps | None:
        """The same if several addresses of the site are known to lead to one page; most sites need not be fetched."""
        if name in self._plain:
            return None
        site = self._sites.get(name)
        if site is None:
            state = self._state(name)
            if state is not None and is_respelled(state):
                return self._site(name)
        elif site.respelled:
            return site
        _note(self._plain, name, holds=True)
        return None

    def _state(self, name: str) -> bytes | None:
        return self._packed.get(name) or self._load(name)

    def _hold(self, name: str, site: SiteTraps) -> SiteTraps:
        """Keep a site in memory, in place of the one that was not met for the longest time if there are too many."""
        while len(self._sites) >= MOST_SITES:
            self._put_aside()
        self._sites[name] = site
        return site

    def _put_aside(self) -> None:
        name, site = self._sites.popitem(last=False)
        _note(self._generous, name, holds=site.generous)
        if name in self._changed:
            self._changed.discard(name)
            self._packed[name] = state = _encoder.encode(site.dump())
            self._packed_bytes += len(state)
            self._put_packed(MOST_PACKED_BYTES)

    def _put_packed(self, most_bytes: int) -> None:
        """Hand packed sites over, those packed first before others, until no more bytes than these are left."""
        while self._packed_bytes > most_bytes:
            name, state = self._packed.popitem(last=False)
            self._packed_bytes -= len(state)
            self._put(name, state)


def _note(names: set[str], name: str, *, holds: bool) -> None:
    """Remember of which sites something holds, of not too many."""
    if not holds:
        names.discard(name)
        return
    if len(names) >= MOST_NOTED:
        names.clear()
    names.add(name)
