"""The items of a site: an article, a product, a thread, an entry; each with its title, its address and its fate."""

from __future__ import annotations

import functools
import heapq
import re
from collections.abc import Iterator
from typing import NamedTuple

from haenyeo.demo.chance import Chance
from haenyeo.demo.clock import DAY, HOUR, WEEK
from haenyeo.demo.text import Lexicon, Voice
from haenyeo.demo.world.spec import SiteSpec
from haenyeo.demo.world.times import Happenings, drifting, settling

KIND_OF_ITEM = {
    "news": "article",
    "blog": "article",
    "home": "article",
    "shop": "product",
    "docs": "doc",
    "wiki": "entry",
    "forum": "thread",
    "hub": "hub",
    "farm": "ad",
}
_TITLES = {"thread": "thread_titles", "doc": "doc_titles", "entry": "entry_titles"}
_REGISTERS = {"thread": "question", "product": "product", "doc": "doc"}
_RATES = {  # edits in a week; which of them is drawn for each item
    "shop": (0.05, 0.2, 0.5, 1.5),
    "docs": (0.0, 0.02, 0.05, 0.2),
    "wiki": (0.0, 0.02, 0.1, 0.4, 1.2),
    "farm": (0.5, 1.0, 2.0),
}
_EDITS_AFTER_BIRTH = {
    "news": (1.0, 1.5 * HOUR),
    "blog": (0.5, 1.0 * DAY),
    "home": (0.2, 3.0 * DAY),
    "hub": (0.3, 1.0 * DAY),
}
_REPLIES = {"forum": (4.0, 0.7 * HOUR), "blog": (1.5, 4.0 * HOUR), "news": (0.8, 1.0 * HOUR)}
_PART_OF_RELEASE = 0.5
_NEVER = float("inf")


class Fate(NamedTuple):
    """When an item's page goes away for good, and when it moves to another address."""

    dies: float = _NEVER
    moves: float = _NEVER


class Item:
    """One item; everything about it follows from the seed, its site and its number."""

    def __init__(self, seed: int, spec: SiteSpec, words: Lexicon, number: int, born: int) -> None:
        self.key = (seed, spec.host, number)
        self.spec, self.words, self.number, self.born = spec, words, number, born
        self.kind = KIND_OF_ITEM[spec.kind]
        chance = Chance(*self.key, "item")
        self.topic = _weighted(chance, spec.topics)
        self.fate = _fate(chance, spec, born)
        self.members = spec.has("members") and number % 9 == _MEMBERS_REST
        self.title, self.summary, self.author = self.opening()[1]
        self.path = self.moved_path = ""

    def opening(self) -> tuple[Voice, tuple[str, str, str]]:
        """The writer of the item, having just written title, summary and name; the text goes on from there."""
        voice = Voice(self.words, self.words.subjects[self.topic], Chance(*self.key, "text"))
        title = voice.goods() if self.kind == "product" else voice.title(_TITLES.get(self.kind, "titles"))
        summary = voice.sentence(_REGISTERS.get(self.kind, "prose"))
        return voice, (title, summary, voice.name())

    @functools.cached_property
    def edits(self) -> Happenings:
        """When its text or price is changed."""
        chance = Chance(*self.key, "edits")
        if self.spec.kind in _RATES:
            own = drifting(chance, self.born, chance.pick(_RATES[self.spec.kind]), "office")
            return Happenings(heapq.merge(own, self._releases()))
        mean, gap = _EDITS_AFTER_BIRTH.get(self.spec.kind, (0.0, 1.0))
        return Happenings(settling(chance, self.born, mean, gap))

    @functools.cached_property
    def replies(self) -> Happenings:
        """When somebody comments on it."""
        mean, gap = _REPLIES.get(self.spec.kind, (0.0, 1.0))
        chance = Chance(*self.key, "replies")
        return Happenings(settling(chance, self.born, mean * chance.between(0.2, 1.8), gap))

    def _releases(self) -> Iterator[int]:
        """The days on which the whole site is worked over, as far as they touch this item."""
        if self.spec.kind == "farm":
            return
        touched = Chance(*self.key, "releases")
        for at in drifting(Chance(self.key[0], self.spec.host, "releases"), -2 * WEEK, 0.3, "office"):
            if touched.happens(_PART_OF_RELEASE) and at > self.born:
                yield at

    def alive(self, now: float) -> bool:
        """Whether it is there at this time."""
        return self.born <= now < self.fate.dies

    def path_at(self, now: float) -> str:
        """Its address on its site at this time."""
        return self.moved_path if now >= self.fate.moves else self.path

    @property
    def slug(self) -> str:
        """The title as a part of an address; nothing for Korean titles."""
        return (
            re.sub(r"[^a-z0-9]+", "-", self.title.lower()).strip("-")[:48].rstrip("-") if self.title.isascii() else ""
        )


_MEMBERS_REST = 4


def _weighted(chance: Chance, weights: dict[str, float]) -> str:
    left = chance.random() * sum(weights.values())
    for name, weight in weights.items():
        left -= weight
        if left < 0:
            return name
    return next(reversed(weights))


def _fate(chance: Chance, spec: SiteSpec, born: int) -> Fate:
    """A few items are gone or moved already when the clock starts, a few go or move in the weeks after it."""
    draw, days = chance.random(), chance.between(1.5, 45)
    if spec.kind in {"hub", "farm"}:
        return Fate()
    start = max(born, 0) + days * DAY
    earlier = -days / 3 * DAY
    old = born < earlier
    match int(draw * 100):
        case 0 | 1 | 2 | 3:
            return Fate(dies=int(start))
        case 4 | 5 | 6:
            return Fate(moves=int(start))
        case 7 if old:
            return Fate(dies=int(earlier))
        case 8 if old:
            return Fate(moves=int(earlier))
        case _:
            return Fate()
