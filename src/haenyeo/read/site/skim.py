"""Reads a page of a known template at a glance: the blocks in the container that do not stand on most pages.

What comes out is what `reading.read_outline` keeps, for it trusts a container that several pages agree on in all. But
only the paths of the blocks and the texts in the container are looked at, so it takes a tenth of the time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
        sizes: dict[str, int] = {}
        for block in blocks:
            path = block.path
            sizes[path] = sizes.get(path, 0) + len(block.text)
        spots = self._spots_of(sizes)
        container = self._container(sizes, spots)
        if container < 0:
            return None
        return self._own(blocks, {path: spot for path, spot in spots.items() if spot.within[container]})

    def own(self, blocks: Sequence[Block]) -> list[int]:
        """The numbers of the blocks that are not the template's, wherever they stand."""
        return self._own(blocks, self._spots_of({block.path for block in blocks}))

    def _own(self, blocks: Sequence[Block], spots: dict[str, _Spot]) -> list[int]:
        """The blocks at these spots that are their page's own, and what they have between them."""
        inside = [number for number, block in enumerate(blocks) if block.path in spots]
        often = self._often(blocks, spots, inside)
        kept = [number for number in inside if number not in often] if often else inside
        if often and kept:
            first, last = kept[0], kept[-1]
            between = [number for number in often if first < number < last and spots[blocks[number].path].is_sure]
            kept = sorted([*kept, *between]) if between else kept
        return _without_silent(blocks, kept)

    def _often(self, blocks: Sequence[Block], spots: dict[str, _Spot], inside: Sequence[int]) -> set[int]:
        """Which of the blocks are the template's; only those are looked up that stand where it has been seen."""
        often: set[int] = set()
        limits = {path: spot.limit for path, spot in spots.items() if spot.has_template}
        suspects = [number for number in inside if blocks[number].path in limits] if limits else []
        if suspects:
            keys = np.array([text_key(blocks[number].text) for number in suspects], np.uint64)
            counts = zip(suspects, self._sketch.count(keys).tolist(), strict=True)
            often.update([number for number, count in counts if count > limits[blocks[number].path]])
        labels = {path: spot.labels for path, spot in spots.items() if spot.labels is not None}
        for number in inside if labels else ():
            known = labels.get(blocks[number].path)
            if known is not None and opening_key(blocks[number].text) in known:
                often.add(number)
        return often

    def _spots_of(self, paths: Iterable[str]) -> dict[str, _Spot]:
        known = self._spots
        if len(known) > _MOST_PATHS:
            known.clear()
        return {path: known.get(path) or self._look_up(path) for path in paths}

    def _look_up(self, path: str) -> _Spot:
        lessons = self._lessons
        name = lessons.place_of(plain(path))
        place = lessons.places.get(name)
        spot = self._spots[path] = _Spot(
            tuple([is_within(name, container) for container in lessons.containers]),
            -1.0 if place is None else place.new,
            place is None or place.has_template,
            often_limit(1.0 if place is None else place.share, lessons.pages),
            place is not None and place.every > _SURE,
            lessons.labels.get(name),
        )
        return spot

    def _container(self, sizes: dict[str, int], spots: dict[str, _Spot]) -> int:
        """The number of the first container that is worth enough on the page, or -1."""
        unknown = sum([size for path, size in sizes.items() if spots[path].likely < 0])
        if unknown > (1 - _KNOWN) * sum(sizes.values()):
            return -1
        known = [(size, spot) for path, size in sizes.items() if (spot := spots[path]).likely >= 0]
        total = sum([size * spot.likely for size, spot in known])
        for number in range(len(self._lessons.containers)):
            worth = sum([size * spot.likely for size, spot in known if spot.within[number]])
            size_inside = sum([size for size, spot in known if spot.within[number]])
            if worth and 2 * worth >= _ENOUGH * (size_inside + total):
                return number
        return -1


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
