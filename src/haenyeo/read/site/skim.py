"""Reads a page of a known template at a glance: the blocks in the container that do not stand on most pages.

What comes out is what `reading.read_outline` keeps, for it trusts a container that several pages agree on in all. But
only the paths of the blocks and the texts in the container are looked at, so it takes a tenth of the time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from haenyeo.model.pages import Block
from haenyeo.read.page.outline import is_line_numbers, opening_key, text_key
from haenyeo.read.page.places import is_within
from haenyeo.read.site.lessons import Lessons, often_limit
from haenyeo.read.site.sample import plain
from haenyeo.read.site.sketch import TextSketch

_KNOWN = 0.8  # of a page's characters: what must stand at known places
_ENOUGH = 0.5  # the F that a container must be worth on the page, so that no other part is worth twice as much
_SURE = 0.5  # how likely text stands at a place where repeated blocks are kept between others
_LONG = 800  # characters of a text that nobody writes twice in one page
_MOST_PATHS = 1 << 12


class _Spot(NamedTuple):
    """A path: which containers hold it, how likely new text there is, when a text is the template's, its labels."""

    within: tuple[bool, ...]
    likely: float
    has_template: bool
    limit: float
    is_sure: bool
    labels: frozenset[int] | None


class Skimmer:
    """Knows the spots of a site."""

    def __init__(self, lessons: Lessons, sketch: TextSketch) -> None:
        self._lessons, self._sketch = lessons, sketch
        self._spots: dict[str, _Spot] = {}

    def kept(self, blocks: Sequence[Block]) -> list[int] | None:
        """The numbers of the blocks that are text; None if the page is of no template that is known well."""
        spots = self._spots_of(blocks)
        container = self._container(blocks, spots)
        if container < 0:
            return None
        return self._own(blocks, spots, [number for number, spot in enumerate(spots) if spot.within[container]])

    def own(self, blocks: Sequence[Block]) -> list[int]:
        """The numbers of the blocks that are not the template's, wherever they stand."""
        return self._own(blocks, self._spots_of(blocks), range(len(blocks)))

    def _own(self, blocks: Sequence[Block], spots: Sequence[_Spot], inside: Sequence[int]) -> list[int]:
        """Those among some blocks that are their page's own, and what they have between them."""
        often = self._often(blocks, spots, inside)
        kept = [number for number in inside if number not in often]
        if often and kept:
            first, last = kept[0], kept[-1]
            between = [number for number in often if first < number < last and spots[number].is_sure]
            kept = sorted([*kept, *between])
        return _without_silent(blocks, kept)

    def _often(self, blocks: Sequence[Block], spots: Sequence[_Spot], inside: Sequence[int]) -> set[int]:
        """Which of the blocks are the template's; only those are looked up that stand where it has been seen."""
        suspects = [number for number in inside if spots[number].has_template]
        keys = np.array([text_key(blocks[number].text) for number in suspects], np.uint64)
        counts = self._sketch.count(keys).tolist() if suspects else ()
        often = {number for number, count in zip(suspects, counts, strict=True) if count > spots[number].limit}
        for number in inside:
            labels = spots[number].labels
            if labels is not None and opening_key(blocks[number].text) in labels:
                often.add(number)
        return often

    def _spots_of(self, blocks: Sequence[Block]) -> list[_Spot]:
        known = self._spots
        if len(known) > _MOST_PATHS:
            known.clear()
        return [known.get(block.path) or self._look_up(block.path) for block in blocks]

    def _look_up(self, path: str) -> _Spot:
        lessons = self._lessons
        name = lessons.place_of(plain(path))
        place = lessons.places.get(name)
        within = tuple([is_within(name, container) for container in lessons.containers])
        spot = _Spot(
            within,
            -1.0 if place is None else place.new,
            place is None or place.has_template,
            often_limit(1.0 if place is None else place.share, lessons.pages),
            place is not None and place.every > _SURE,
            lessons.labels.get(name),
        )
        self._spots[path] = spot
        return spot

    def _container(self, blocks: Sequence[Block], spots: Sequence[_Spot]) -> int:
        """The number of the first container that is worth enough on the page, or -1."""
        containers = range(len(self._lessons.containers))
        size, worth = [0.0 for _ in containers], [0.0 for _ in containers]
        unknown = everything = total = 0.0
        for block, spot in zip(blocks, spots, strict=True):
            length = len(block.text)
            everything += length
            if spot.likely < 0:
                unknown += length
                continue
            likely = length * spot.likely
            total += likely
            for number in containers:
                if spot.within[number]:
                    size[number] += length
                    worth[number] += likely
        if unknown > (1 - _KNOWN) * everything:
            return -1
        return next((n for n in containers if worth[n] and 2 * worth[n] >= _ENOUGH * (size[n] + total)), -1)


def _without_silent(blocks: Sequence[Block], kept: Sequence[int]) -> list[int]:
    """The blocks but for line numbers, and long texts that are said again."""
    said: set[str] = set()
    loud = []
    for number in kept:
        text = blocks[number].text
        if len(text) > _LONG:
            if text in said:
                continue
            said.add(text)
        elif text[:1].isdigit() and is_line_numbers(text, blocks[number].path):
            continue
        loud.append(number)
    return loud
