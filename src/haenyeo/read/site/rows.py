"""Labels of rows: `Brand` before `Oliceydress` in a table, `Returns:` before what is returned in a list of definitions.

They stand on many pages of a site, as menus do, but they belong to what they label.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

from haenyeo.model.pages import Block
from haenyeo.read.page.places import tag_of

_LABELLED = {"th": "td", "dt": "dd"}  # the element of a label, and the one of what is labelled
_AROUND = frozenset({"table", "dl"})


def row_labels(blocks: Sequence[Block], kept: Sequence[int]) -> list[int]:
    """The numbers of blocks that are not kept, each the label of the kept block that follows it."""
    own = set(kept)
    before = [number - 1 for number in kept if number and number - 1 not in own]
    return [number for number in before if _are_row(blocks[number].path, blocks[number + 1].path)]


def _are_row(label: str, value: str) -> bool:
    """Whether blocks at these places, one right after the other, are a label and what it labels."""
    tag, row = _cell(label)
    return tag in _LABELLED and _cell(value) == (_LABELLED[tag], row)


@functools.lru_cache(maxsize=1 << 12)
def _cell(path: str) -> tuple[str, str]:
    """The element of the innermost cell or item on the way to a block, and the way to it; empty if there is none."""
    way = path
    while way:
        way, _, step = way.rpartition(">")
        tag = tag_of(step)
        if tag in _LABELLED or tag in _LABELLED.values():
            return tag, way
        if tag in _AROUND:
            break
    return "", ""
