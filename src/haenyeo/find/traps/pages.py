"""Has this text been read on this site before? The last few hundred different texts, found by digest and by simhash."""

from __future__ import annotations

from array import array
from collections import deque
from typing import Self

import msgspec

from haenyeo.find.traps.fingerprint import TextFingerprint, nearest
from haenyeo.find.traps.spellings import Content

_MOST_GROUPS = 512
_MOST_DIGESTS = 1024
_MOST_PAGES = 64
_MOST_TEMPLATES = 3
_NEAR = 3  # bits in which the simhashes of near-duplicates may differ
_LONG = 32  # pairs of words; simhashes of shorter texts differ too much by chance and must be equal


class Match(msgspec.Struct, frozen=True):
    """Where a text was read before: the page with exactly this text, the page with nearly this text, if any.

    `group` is the number of the group of near-duplicates, `templates` says on how many kinds of addresses the group was
    met, up to three.
    """

    same: str | None
    near: str | None
    group: int
    templates: int


class PagesState(msgspec.Struct, frozen=True, array_like=True):
    """The memory as plain values."""

    simhashes: list[int]
    urls: list[str]
    templates: list[list[str]]
    oldest: int
    digests: dict[int, str]
    recent: list[tuple[str, Content]]


class ReadTexts:
    """What was read on one site: groups of near-duplicate texts, in a ring that forgets the oldest group first."""

    def __init__(self) -> None:
        self._simhashes = array("Q")
        self._urls: list[str] = []
        self._templates: list[list[str]] = []
        self._oldest = 0
        self._digests: dict[int, str] = {}
        self.recent: deque[tuple[str, Content]] = deque(maxlen=_MOST_PAGES)

    def look(self, template: str, page: TextFingerprint) -> Match:
        """Find the text among those read before, as `meet` would; a new group has the number -1."""
        place = self._nearest(page)
        same = self._digests.get(page.digest)
        if place is None:
            return Match(same, None, -1, 1)
        templates = min(_MOST_TEMPLATES, len({*self._templates[place], template}))
        return Match(same, self._urls[place], self._number(place), templates)

    def has(self, page: TextFingerprint) -> bool:
        """Whether exactly this text was read before."""
        return page.digest in self._digests

    def meet(self, url: str, template: str, page: TextFingerprint) -> Match:
        """Find the text among those read before, and remember it."""
        same = self._digests.get(page.digest)
        group, near = self._group(url, page)
        templates = self._templates[group % _MOST_GROUPS]
        if template not in templates and len(templates) < _MOST_TEMPLATES:
            templates.append(template)
        if same is None:
            if len(self._digests) >= _MOST_DIGESTS:
                del self._digests[next(iter(self._digests))]
            self._digests[page.digest] = url
        self.recent.append((url, (page.digest, group)))
        return Match(same, near, group, len(templates))

    def _group(self, url: str, page: TextFingerprint) -> tuple[int, str | None]:
        """The number of the text's group and the page it began with, None for a new group."""
        place = self._nearest(page)
        if place is not None:
            return self._number(place), self._urls[place]
        return self._begin_group(url, page.simhash), None

    def _nearest(self, page: TextFingerprint) -> int | None:
        """The place in the ring of the group that the text belongs to; None if there is none."""
        if not self._urls:
            return None
        place, differing = nearest(self._simhashes, page.simhash)
        return place if differing <= (_NEAR if page.pairs >= _LONG else 0) else None

    def _number(self, place: int) -> int:
        """The running number of the group at a place of the ring."""
        return self._oldest + (place - self._oldest) % _MOST_GROUPS

    def _begin_group(self, url: str, simhash: int) -> int:
        count = len(self._urls)
        if count < _MOST_GROUPS:
            self._urls.append(url)
            self._templates.append([])
            self._simhashes.append(simhash)
            return count
        place = self._oldest % _MOST_GROUPS
        self._simhashes[place], self._urls[place], self._templates[place] = simhash, url, []
        self._oldest += 1
        return self._oldest + _MOST_GROUPS - 1

    def dump(self) -> PagesState:
        """The memory as plain values, for `load`."""
        simhashes = self._simhashes.tolist()
        return PagesState(simhashes, self._urls, self._templates, self._oldest, self._digests, list(self.recent))

    @classmethod
    def load(cls, state: PagesState) -> Self:
        """The memory that was dumped."""
        pages = cls()
        pages._simhashes.extend(state.simhashes)
        pages._urls, pages._templates = state.urls, state.templates
        pages._oldest, pages._digests = state.oldest, state.digests
        pages.recent.extend(state.recent)
        return pages
