"""What do pages with addresses like this one bring?

Every address belongs to a chain of patterns, from its own template to "anything on this site":

    https://a.example/shop/list?colour&size     →  https://a.example/shop/list?*  →  https://a.example/shop/*
    →  https://a.example/*  →  *

For each pattern we count the pages read and those of them that brought something new. The chance that the next page
brings something is estimated from the general to the particular: a pattern with many pages of its own speaks for
itself, one with few is taken to be like the pattern above it. Only the first, second, fourth, eighth ... page of a
pattern counts in the one above. So an endless calendar under one template counts there hardly more than a few articles
do, and says little about its neighbours; but an endless supply of ever new templates, words or subdomains counts in
full, and tells what to expect of the next.

At every level, addresses first met on a page that itself brought nothing are also counted apart: behind worthless pages
mostly more of them are found, whatever the addresses look like.

A pattern can also be discounted for sheer growth. When page after page of it links almost only to addresses of the same
pattern that were never met before, there is no end to it, and its share of the crawl is limited even if its texts look
new. Ordinary sites link to pages that are known already, and more so the longer they are read.
"""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Sequence
from itertools import repeat

import msgspec

from haenyeo.html.urls import shape_of

_ANYTHING = "*"
_LONGEST = 8  # path segments looked at
# Such as /a/b/a/b/a/b: up to four segments, three times or more.
_REPEATED = re.compile(r"((?:/[^/?*]++){1,4}?)\1{2,}(?=[/?]|$)")
_PRIOR = 2.0  # pages' worth of belief in what the pattern above says
_DOUBT = 0.3  # the least that is believed of a template with pages of its own, whatever the patterns above say
_FADING = 0.9  # of what an older page counts, for each page after it
_ENOUGH = 4  # pages met in the same way that speak for themselves
_ORDINARY = 0.3  # chance of something new above which nothing is discounted
_SHARE = 20  # pages that an endless pattern may have before it is discounted
_ENDLESS = 0.85  # part of a page's links that lead on to new addresses of the same pattern
_ENDLESS_LINKS = 2  # such links a page
_LOOKED_AT = 4  # new links of a page whose patterns are found out, for all of them
_LOWEST = 2.0**-13
_ALL, _AHEAD, _BEHIND = range(3)

Step = tuple[str, str, str]
"""The names a pattern's pages are counted under: all, those met first on good pages, those met on worthless ones."""


class PageYield(msgspec.Struct, frozen=True, kw_only=True):
    """What a page that was read brought.

    `behind` says that its address was first met on a page that brought nothing; `fruitful` that it brought something
    itself. Links are those into its own site.
    """

    url: str
    behind: bool
    fruitful: bool
    new_links: Sequence[str] = ()
    known_links: int = 0


class PatternTally(msgspec.Struct, array_like=True, gc=False):
    """What became of the pages of a pattern.

    `fruitful` pages and links fade with every page after them; `recent` pages, those they are measured against, lose
    half with every fruitful one. So a long barren time weighs ever more, and a change for the better is noticed soon.
    `pages` are all pages; `passed` and `passed_fruitful` those that count in the pattern above as well.
    """

    recent: float = 0.0
    fruitful: float = 0.0
    own_links: float = 0.0
    known_links: float = 0.0
    pages: int = 0
    passed: int = 0
    passed_fruitful: int = 0

    def count(self, *, fruitful: bool, own_links: float, known_links: int) -> None:
        """Count a page with so many new links to the same pattern and so many known links."""
        self.pages += 1
        self.recent = (self.recent / 2 if fruitful else self.recent) + 1
        self.fruitful = self.fruitful * _FADING + fruitful
        self.own_links = self.own_links * _FADING + own_links
        self.known_links = self.known_links * _FADING + known_links

    def pass_on(self, *, fruitful: bool) -> None:
        """Note that the page counted last also counts in the pattern above."""
        self.passed += 1
        self.passed_fruitful += fruitful

    def chance(self, expected: float, below: PatternTally) -> float:
        """The chance that the next page brings something, by the pages that `below` does not count itself."""
        recent = self.recent - below.passed
        fruitful = self.fruitful - below.passed_fruitful
        chance = ((fruitful if fruitful > 0 else 0.0) + _PRIOR * expected) / ((recent if recent > 0 else 0.0) + _PRIOR)
        return chance if chance < 1 else 1.0

    @property
    def allowance(self) -> float:
        """1, or less the more pages of an endless pattern have been read."""
        endless = (
            self.pages > _SHARE
            and self.own_links * (1 - _FADING) >= _ENDLESS_LINKS
            and self.own_links >= _ENDLESS * (self.own_links + self.known_links)
        )
        return (_SHARE / self.pages) ** 2 if endless else 1.0


_NO_PAGES = PatternTally()


class Patterns:
    """The tallies of one site's patterns; `most` bounds their number, the longest untouched go first."""

    def __init__(self, tallies: dict[str, PatternTally] | None = None, *, most: int = 1024) -> None:
        self.most = most
        self.tallies = {} if tallies is None else tallies
        self._discounts: dict[str, float] = {}

    @property
    def endless(self) -> bool:
        """Whether there is a pattern without an end."""
        return any(tally.allowance < 1 for tally in self.tallies.values() if tally.pages > _SHARE)

    def count(self, page: PageYield) -> None:
        """Count a page; it counts in a pattern if it is the first, second, fourth, eighth ... of the one below."""
        self._discounts.clear()
        fruitful, new, known = page.fruitful, page.new_links, page.known_links
        links = [shape_of(link) for link in new[:: len(new) // _LOOKED_AT or 1][:_LOOKED_AT]] if new else ()
        way = _BEHIND if page.behind else _AHEAD
        for step in chain(shape_of(page.url)):
            own = len(new) * _share(step[_ALL], links) if links else 0.0
            everything, met_alike = self._touch(step[_ALL]), self._touch(step[way])
            everything.count(fruitful=fruitful, own_links=own, known_links=known)
            met_alike.count(fruitful=fruitful, own_links=own, known_links=known)
            if everything.pages & (everything.pages - 1):
                break
            everything.pass_on(fruitful=fruitful)
            met_alike.pass_on(fruitful=fruitful)
        while len(self.tallies) > self.most:
            del self.tallies[next(iter(self.tallies))]

    def _touch(self, name: str) -> PatternTally:
        """The tally of a pattern, moved to the end of those that may be forgotten."""
        known = self.tallies.pop(name, None)
        tally = self.tallies[name] = known or PatternTally()
        return tally

    def discount(self, url: str, *, behind: bool) -> float:
        """What a link's score is to be multiplied with: 1 unless pages like this have brought nothing of late."""
        steps, way = chain(shape_of(url)), _BEHIND if behind else _AHEAD
        name = steps[0][way]
        known = self._discounts.get(name)
        if known is None:
            known = self._discounts[name] = self._discount(steps, way)
        return known

    def _discount(self, steps: tuple[Step, ...], way: int) -> float:
        """By the tallies of pages met in the same way where there are some, else of all.

        The first that has pages mostly speaks for itself; those above are asked if it does not.
        """
        tally_of = self.tallies.get
        asked: list[tuple[PatternTally, PatternTally, float]] = []
        for place, step in enumerate(steps):
            tally, kind = tally_of(step[way]), way
            if tally is None or tally.pages < _ENOUGH:
                tally, kind = tally_of(step[_ALL]), _ALL
            if tally is not None:
                below = tally_of(steps[place - 1][kind], _NO_PAGES) if place else _NO_PAGES
                least = 0.0 if place else _DOUBT
                if not asked and tally.chance(least, below) >= _ORDINARY:
                    return _lessened(tally.allowance)
                asked.append((tally, below, least))
        chance = 1.0
        for tally, below, least in reversed(asked):
            chance = tally.chance(max(chance, least), below)
        allowance = asked[0][0].allowance if asked else 1.0
        return _lessened(allowance if chance >= _ORDINARY else (chance / _ORDINARY) ** 2 * allowance)


@functools.lru_cache(maxsize=1 << 11)
def chain(template: str) -> tuple[Step, ...]:
    """The patterns of the addresses of a template, from the template itself to anything."""
    path, _, names = template.partition("?")
    wider = _wider(path.rpartition("/")[0])
    if wider is None:
        return tuple(map(_step, _chain(template)))
    return (*map(_step, (template, f"{path}?*")), *wider) if names else (_step(path), *wider)


@functools.lru_cache(maxsize=1 << 11)
def _wider(folder: str) -> tuple[Step, ...] | None:
    """The patterns of all that is in a folder; None if what is there may have to be looked at whole."""
    _, mark, rest = folder.partition("://")
    segments = rest.split("/")[1:]
    if not mark or len(segments) >= _LONGEST or len(set(segments)) < len(segments):
        return None
    return tuple(map(_step, _chain(f"{folder}/")[1:]))


def _step(name: str) -> Step:
    return name, f"{name} +", f"{name} -"


def _chain(template: str) -> list[str]:
    path, _, names = template.partition("?")
    scheme, _, rest = path.partition("://")
    host, *segments = rest.split("/")
    if len(set(segments)) + 2 <= len(segments):
        path, _, names = _REPEATED.sub(r"\1/**", template).partition("?")
        host, *segments = path.partition("://")[2].split("/")
    del segments[_LONGEST:]
    folders = [f"{scheme}://{host}/"]
    for segment in segments[:-1]:
        folders.append(f"{folders[-1]}{segment}/")
    path = folders[-1] + segments[-1] if segments else f"{scheme}://{host}"
    own = [f"{path}?{names}", f"{path}?*"] if names else [path]
    wider = [folder + _ANYTHING for folder in reversed(folders)] if segments else []
    return [*own, *wider, _ANYTHING]


def _share(pattern: str, templates: Sequence[str]) -> float:
    """The part of the templates that belong to a pattern."""
    if not templates:
        return 0.0
    beginning = pattern.rstrip("*")
    return sum(map(str.startswith, templates, repeat(beginning))) / len(templates)


def _lessened(discount: float) -> float:
    """The nearest power of two: with fewer different discounts, waiting links need to be scored again less often."""
    return float(2.0 ** round(math.log2(max(_LOWEST, discount)))) if discount < 1 else 1.0
