"""Reads a page of a known template at a glance: the blocks in the container that do not stand on most pages.

What comes out is nearly what `reading.read_outline` keeps, for it trusts a container that several pages agree on in all
that the judge of single pages does not speak against. But only the paths of the blocks and the texts in the container
are looked at, so it takes a tenth of the time.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from types import ModuleType
from typing import NamedTuple

import numpy as np

from haenyeo import native
from haenyeo.model.pages import Block
from haenyeo.read.page.outline import is_line_numbers
from haenyeo.read.page.places import is_heading
from haenyeo.read.page.texts import opening_key, text_key
from haenyeo.read.site.known_places import UNKNOWN
from haenyeo.read.site.lessons import IF_COMMENT, Lessons, is_text_inside, often_limit
from haenyeo.read.site.sample import plain
from haenyeo.read.site.sketch import TextSketch

COMPILED = native.load("reading")

MOST_SPOT_BYTES = 48_000
"""Bytes of spots after which they are looked up anew."""

_MOST_CONTAINERS = 62  # that compiled code can tell apart
_KNOWN = 0.8  # of a page's characters: what must stand at known places
_ENOUGH = 0.5  # the F that a container must be worth on the page, so that no other part is worth twice as much
_SURE = 0.5  # how likely text stands at a place where repeated blocks are kept between others
_LONG = 800  # characters of a text that nobody writes twice in one page
_SPOT_BYTES = 350  # of a spot
_PATH_BYTES = 120  # of a path's hash and its place in a dictionary


class Spot(NamedTuple):
    """A path: which containers hold it (a bit each), how likely new text there is (below 0 if the path is unknown).

    Texts on more pages than `limit` are the template's; where it has never been seen, no text is. `labels` are openings
    of lines that say what they are. A spot `is_fixed` where hardly anything but the template's lines stands.
    """

    within: int
    likely: float
    limit: float
    is_sure: bool
    labels: frozenset[int] | None
    is_heading: bool
    is_fixed: bool


class Skimmer:
    """Knows the spots of a site."""

    def __init__(self, lessons: Lessons, sketch: TextSketch) -> None:
        self._lessons, self._sketch = lessons, sketch
        self._spots: dict[int, Spot] = {}  # by the hashes of paths: these are long, and there are many
        self._different: dict[Spot, Spot] = {}
        self._held = 0

    def forget(self) -> None:
        """Take no room; the spots are looked up anew when they are met."""
        self._spots.clear()
        self._different.clear()
        self._held = 0

    def kept(self, blocks: tuple[Block, ...]) -> list[int] | None:
        """The numbers of the blocks that are text; None if the page is of no template that is known well."""
        containers = len(self._lessons.containers)
        if COMPILED is None or containers > _MOST_CONTAINERS:
            return self.kept_in_python(blocks)
        return self._compiled(COMPILED, blocks, containers) if containers else None

    def kept_or_own(self, blocks: tuple[Block, ...]) -> list[int]:
        """What is `kept`; of a page of no template that is known well, the blocks that are not the template's."""
        containers = len(self._lessons.containers)
        if COMPILED is None or containers > _MOST_CONTAINERS:
            return self.kept_or_own_in_python(blocks)
        return self._compiled(COMPILED, blocks, -containers) or []

    def kept_in_python(self, blocks: tuple[Block, ...]) -> list[int] | None:
        """The same as `kept`, without compiled code."""
        spots = self._spots_of(blocks)
        container = self._container(blocks, spots)
        inside = [number for number, spot in enumerate(spots) if spot.within >> container & 1] if container >= 0 else []
        return self._own(blocks, spots, inside) if container >= 0 else None

    def kept_or_own_in_python(self, blocks: tuple[Block, ...]) -> list[int]:
        """The same as `kept_or_own`, without compiled code."""
        kept = self.kept_in_python(blocks)
        return self._own(blocks, self._spots_of(blocks), range(len(blocks))) if kept is None else kept

    def _compiled(self, kernel: ModuleType, blocks: tuple[Block, ...], containers: int) -> list[int] | None:
        kept: list[int] | None = kernel.skim(
            blocks, self._spots, self._look_up, containers, self._sketch.cells, is_line_numbers
        )
        self._make_room()
        return kept

    def _own(self, blocks: Sequence[Block], spots: Sequence[Spot], inside: Sequence[int]) -> list[int]:
        """Of these blocks those that are their page's own, what they have between them, and headings right above.

        What stands between headings and the text, and says what it is, is about the text and not of it.
        """
        template = {number for number in inside if self._is_often(blocks[number].text, spots[number])}
        labelled = {
            number for number in inside if number not in template and _is_labelled(blocks[number].text, spots[number])
        }
        kept = [number for number in inside if number not in template and number not in labelled]
        texts = [number for number in kept if not spots[number].is_heading]
        first = kept[0] if kept else 0
        while first - 1 in template and spots[first - 1].is_heading:
            first -= 1
        between = [number for number in template if kept and first <= number < kept[-1]]
        between += [number for number in labelled if texts and texts[0] < number < kept[-1]]
        own = set(kept)
        between = [number for number in between if not spots[number].is_fixed or number + 1 in own]
        kept = sorted([*kept, *(number for number in between if spots[number].is_sure)])
        return _without_silent(blocks, kept)

    def _is_often(self, text: str, spot: Spot) -> bool:
        """Whether this text belongs to the template."""
        if spot.limit == math.inf:
            return False
        return bool(self._sketch.count(np.array([text_key(text)], np.uint64))[0] > spot.limit)

    def _spots_of(self, blocks: Sequence[Block]) -> list[Spot]:
        known = self._spots
        spots = [known.get(hash(block.path)) or self._look_up(block.path) for block in blocks]
        self._make_room()
        return spots

    def _make_room(self) -> None:
        if self._held > MOST_SPOT_BYTES:
            self.forget()

    def _look_up(self, path: str) -> Spot:
        spot = self._found(path)
        known = self._spots[hash(path)] = self._different.setdefault(spot, spot)
        self._held += _PATH_BYTES + (_SPOT_BYTES if known is spot else 0)
        return known

    def _found(self, path: str) -> Spot:
        lessons = self._lessons
        name = lessons.place_of(plain(path))
        places, number = lessons.places, lessons.places.number(name)
        is_text = number == UNKNOWN or is_text_inside(float(places.new[number]), lessons.pages)
        is_text = is_text and not places.aside[number]
        inside = [lessons.is_of(name, container) << bit for bit, container in enumerate(lessons.containers)]
        return Spot(
            sum(inside) if is_text else 0,
            -1.0 if number == UNKNOWN else IF_COMMENT if places.for_comments[number] else float(places.new[number]),
            often_limit(float(places.share[number]), lessons.pages) if places.has_template[number] else math.inf,
            bool(places.every[number] > _SURE),
            lessons.labels.get(number),
            is_heading(path),
            bool(places.fixed[number]),
        )

    def _container(self, blocks: Sequence[Block], spots: Sequence[Spot]) -> int:
        """The number of the first container that is worth enough on the page, or -1."""
        sizes = [len(block.text) for block in blocks]
        unknown = sum([size for size, spot in zip(sizes, spots, strict=True) if spot.likely < 0])
        if unknown > (1 - _KNOWN) * sum(sizes):
            return -1
        known = [(size, spot) for size, spot in zip(sizes, spots, strict=True) if spot.likely >= 0]
        total = sum([size * spot.likely for size, spot in known])
        for number in range(len(self._lessons.containers)):
            worth = sum([size * spot.likely for size, spot in known if spot.within >> number & 1])
            size_inside = sum([size for size, spot in known if spot.within >> number & 1])
            if worth and 2 * worth >= _ENOUGH * (size_inside + total):
                return number
        return -1


def _is_labelled(text: str, spot: Spot) -> bool:
    """Whether this is a line that says what it is, such as the author's."""
    return spot.labels is not None and opening_key(text) in spot.labels


def _without_silent(blocks: Sequence[Block], kept: list[int]) -> list[int]:
    """The blocks but for line numbers, and long texts that are said again."""
    suspects = [number for number in kept if len(text := blocks[number].text) > _LONG or text[:1].isdigit()]
    if not suspects:
        return kept
    said: set[str] = set()
    silent: set[int] = set()
    for number in suspects:
        text = blocks[number].text
        if len(text) <= _LONG:
            if is_line_numbers(text, blocks[number].path):
                silent.add(number)
        elif text in said:
            silent.add(number)
        else:
            said.add(text)
    return [number for number in kept if number not in silent] if silent else kept
