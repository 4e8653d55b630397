"""Is this page worth having, and are there more like it? What one site has taught about its own traps."""

from __future__ import annotations

import enum
import re
from collections.abc import Sequence
from typing import Self

import msgspec

from haenyeo.find.seen import url_hashes
from haenyeo.find.traps.fingerprint import TextFingerprint, fingerprint
from haenyeo.find.traps.pages import Match, PagesState, ReadTexts
from haenyeo.find.traps.patterns import PageYield, Patterns, PatternTally
from haenyeo.find.traps.recent import RecentHashes, RecentState
from haenyeo.find.traps.spellings import Spellings, Suspicion
from haenyeo.find.traps.variants import HAS_MEANING, Variants
from haenyeo.html.urls import shape_of, url_hash

_THIN = 5  # different words below which a page has next to no text
_FEW_PAIRS = 3  # new pairs of words below which a page says nothing new, whatever its length
_FEW_SHARE = 0.02  # the same as a part of the page's pairs
_MANY_TEMPLATES = 3  # kinds of addresses that give the same text, to suspect that it is the site's answer to nonsense
_BEGINNING = 1200  # bytes in which a page that is missing says so
_MISSING = re.compile(
    r"\b404\b|not (?:be )?found|(?:does|do)(?:n't| not) exist|no longer (?:exists|available)|page (?:is )?missing"
    r"|찾을 수 없|존재하지 않|삭제(?:된|되었)|없는 (?:페이지|게시물|글)",
    re.IGNORECASE,
)


class Novelty(enum.StrEnum):
    """What a page is, compared with the others of its site."""

    NEW = "new"  # a text of its own
    THIN = "thin"  # next to no text
    STALE = "stale"  # no words but such as have been read elsewhere
    NEAR = "near-duplicate"  # a text read before, apart from numbers and a few words
    SAME = "same text"  # exactly a text read before


class TrapVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """What the traps say about a page that was read.

    A page is `novel` unless the very same text is there already: others are worth keeping, but may be `barren`, so that
    fewer of their kind are read. `original` is the page it repeats; `reason` is empty for novel pages. A page is
    `suspect` if it may be what the site answers to nonsense, which only the site can tell. `respelled` says that `key`
    has changed for some addresses.
    """

    kind: Novelty
    original: str | None = None
    simhash: int = 0
    suspect: bool = False
    respelled: bool = False

    @property
    def novel(self) -> bool:
        """Whether the page is worth keeping."""
        return self.kind is not Novelty.SAME

    @property
    def barren(self) -> bool:
        """Whether the page brought nothing that is not known from other pages."""
        return self.kind is not Novelty.NEW

    @property
    def reason(self) -> str:
        """Why the page is not worth keeping; empty if it is."""
        return "" if self.novel else str(self.kind)


class SiteState(msgspec.Struct, frozen=True, array_like=True):
    """All that was learned about a site, as plain values."""

    pages: PagesState
    pairs: RecentState
    behind: RecentState
    tallies: dict[str, PatternTally]
    suspicions: list[Suspicion]
    meaningless: list[str] = []
    barren: bool = True


class _Spelled(msgspec.Struct, frozen=True, array_like=True):
    """The same, with only what `is_respelled` looks at taken apart."""

    pages: msgspec.Raw
    pairs: msgspec.Raw
    behind: msgspec.Raw
    tallies: msgspec.Raw
    suspicions: list[Suspicion]
    meaningless: list[str] = []


_spelled = msgspec.msgpack.Decoder(_Spelled)


def is_respelled(packed: bytes) -> bool:
    """Whether the site whose state was packed as MessagePack has pages with more than one address."""
    state = _spelled.decode(packed)
    return any(not kind.startswith(HAS_MEANING) for kind in state.meaningless) or any(
        suspicion.convicted for suspicion in state.suspicions
    )


class SiteTraps:
    """What one site has taught; its memory is bounded to some hundred kilobytes however many pages are read."""

    def __init__(self) -> None:
        self._pages = ReadTexts()
        self._pairs = RecentHashes(largest=1 << 16)
        self._behind = RecentHashes(largest=1 << 13)
        self._patterns = Patterns()
        self._spellings = Spellings()
        self._variants = Variants()
        self._barren = False

    @property
    def generous(self) -> bool:
        """Whether no address of the site is discounted, whatever it looks like: every page brought something new."""
        return not self._barren and not self._patterns.endless

    @property
    def respelled(self) -> bool:
        """Whether pages of the site are known to have more than one address."""
        return self._spellings.convicted or bool(self._variants.meaningless)

    def key(self, url: str) -> str:
        """The address with a star in place of what means nothing; addresses with one key lead to one page."""
        return self._spellings.key(self._variants.key(url))

    def repeats(self, url: str) -> bool:
        """Whether a page was read whose key, by all that is known now, is that of this address."""
        return self._variants.repeats(url) or self._spellings.repeats(url)

    def discount(self, url: str) -> float:
        """What a link's score is to be multiplied with: 1, or less but never 0 for addresses that promise nothing."""
        return self._patterns.discount(url, behind=url_hash(url) in self._behind)

    def suspects(self, url: str, text: bytes, page: TextFingerprint) -> bool:
        """Whether `observe` would suspect a page."""
        match = self._pages.look(shape_of(url), page)
        return (match.same or match.near) is not None and _may_be_missing(text, match)

    def has_read(self, page: TextFingerprint) -> bool:
        """Whether the very same text was read at another address."""
        return self._pages.has(page)

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
        """Learn from a page that was read for the first time; its text is in UTF-8, `page` the text's fingerprint.

        `new_links` are the page's links into its own site that had never been met before, `known_links` counts the
        others. Pages the user has `given` lie all over a site, so their links tell nothing about whether it ends.
        """
        page = page or fingerprint(text)
        match = self._pages.meet(url, shape_of(url), page)
        kind = self._kind(page, match)
        behind = url_hash(url) in self._behind
        fruitful = kind is Novelty.NEW
        self._barren |= not fruitful
        if not given:
            self._patterns.count(
                PageYield(url=url, behind=behind, fruitful=fruitful, new_links=new_links, known_links=known_links)
            )
        if new_links and not fruitful:
            self._behind.add(url_hashes(new_links))
        original = match.same or match.near
        respelled = self._respell(url, original)
        suspect = original is not None and _may_be_missing(text, match)
        return TrapVerdict(kind=kind, original=original, simhash=page.simhash, suspect=suspect, respelled=respelled)

    def _kind(self, page: TextFingerprint, match: Match) -> Novelty:
        new_pairs = self._pairs.add(page.sample)
        if match.same or match.near:
            return Novelty.SAME if match.same else Novelty.NEAR
        if page.words < _THIN:
            return Novelty.THIN
        few = max(_FEW_PAIRS, _FEW_SHARE * len(page.sample))
        return Novelty.STALE if new_pairs < few else Novelty.NEW

    def _respell(self, url: str, original: str | None) -> bool:
        recent = self._pages.recent
        changed = self._variants.count(url, recent[-1][1], recent)
        changed |= self._spellings.count(url, recent[-1][1])
        if original is not None and original != url:
            changed |= self._spellings.suspect(url, original, recent)
        return changed

    def dump(self) -> SiteState:
        """The state as plain values, for `load`."""
        return SiteState(
            self._pages.dump(),
            self._pairs.dump(),
            self._behind.dump(),
            self._patterns.tallies,
            list(self._spellings.suspicions.values()),
            self._variants.dump(),
            self._barren,
        )

    @classmethod
    def load(cls, state: SiteState) -> Self:
        """The traps whose state was dumped."""
        site = cls()
        site._pages = ReadTexts.load(state.pages)
        site._pairs, site._behind = RecentHashes.load(state.pairs), RecentHashes.load(state.behind)
        site._patterns, site._spellings = Patterns(state.tallies), Spellings(state.suspicions)
        site._variants = Variants(state.meaningless, state.pages.recent)
        site._barren = state.barren
        return site


def _may_be_missing(text: bytes, match: Match) -> bool:
    """Whether a text that was read before under other addresses may be the site's answer to all that is not there."""
    if match.same and match.templates >= _MANY_TEMPLATES:
        return True
    return _MISSING.search(text[:_BEGINNING].decode(errors="ignore")) is not None
