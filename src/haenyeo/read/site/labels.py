"""Lines that say what they are: `Posted by Hana`, `작성자: 한나`, `Tags: reef, tide`.

They differ from page to page, but they begin alike, and stand at places where hardly anything else does.
"""

from __future__ import annotations

import numpy as np

from haenyeo.read.page.places import tag_of
from haenyeo.read.page.texts import Numbers
from haenyeo.read.site.sample import SampleArrays

_OPENING_BITS = 16
_FEWEST_PAGES = 4
_ON_PAGES = 0.5  # of the pages that have the place: on so many a label stands
_TIMES_IN_PAGE = 1.5  # at most, on average: items of a list begin alike too, but more often
_OF_BLOCKS = 0.7  # of the blocks at a place: so many must be labelled
_MOST_WORDS = 60  # of a block there, on average
_OF_WORDS = 0.2  # of all words: so many stand there at most, or it is the text itself that begins alike
# Code and headings begin alike too; in the paths of a sample every digit is 0 (`sample.plain`).
_NEVER = frozenset({"pre", "h0", "dt", "th"})


def find_labels(sample: SampleArrays, where: Numbers, paths: list[str]) -> dict[str, frozenset[int]]:
    """The openings of labelled lines in a sample, by path; `where` has the number of each block's path."""
    size = len(paths)
    if sample.pages < _FEWEST_PAGES:
        return {}
    kinds, number = np.unique(where << _OPENING_BITS | sample.openings, return_inverse=True)
    place_of_kind = kinds >> _OPENING_BITS
    pages_of_kind = _pages(sample, number, len(kinds))
    pages_of_place = _pages(sample, where, size)
    is_common = (pages_of_kind > _ON_PAGES * pages_of_place[place_of_kind]) & (pages_of_kind >= _FEWEST_PAGES)
    is_common &= np.bincount(number) <= _TIMES_IN_PAGE * pages_of_kind
    is_label = is_common[number]
    blocks = np.bincount(where, minlength=size)
    words = np.bincount(where, sample.words, size)
    is_slot = (np.bincount(where, is_label, size) >= _OF_BLOCKS * blocks) & (words <= _MOST_WORDS * blocks)
    is_slot &= words <= _OF_WORDS * words.sum()
    is_slot &= np.array([tag_of(path.rpartition(">")[2]) not in _NEVER for path in paths], np.bool_)
    labels: dict[str, set[int]] = {}
    for kind in kinds[is_common & is_slot[place_of_kind]].tolist():
        labels.setdefault(paths[kind >> _OPENING_BITS], set()).add(kind & (1 << _OPENING_BITS) - 1)
    return {path: frozenset(openings) for path, openings in labels.items()}


def _pages(sample: SampleArrays, number: Numbers, size: int) -> Numbers:
    """On how many pages of the sample each number stands."""
    stands = np.zeros((sample.pages, size), np.bool_)
    stands[sample.page, number] = True
    pages: Numbers = stands.sum(axis=0)
    return pages
