"""Comments that nothing but their heading gives away: `Comments (7)`, `댓글 7`."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from haenyeo.model.pages import Block
from haenyeo.read.page.places import is_within
from haenyeo.read.page.texts import Bools

_HEADINGS = {f"h{level}": level for level in range(2, 7)}
_LONGEST = 30  # characters of such a heading
# Words that also head the chapter of a manual must be followed by a number.
_HEADING = re.compile(
    r"(?:댓글|덧글|답글|留言)(?:\W*\d+\W*(?:개|건|条|條)?)?\W*"
    r"|(?:comments?|replies|responses|kommentare|commentaires|comentarios|commenti|комментарии|コメント|评论|評論)"
    r"\W*\d+\W*(?:件|条|條)?\W*",
    re.IGNORECASE,
)


def below_headings(blocks: Sequence[Block], paths: Sequence[str]) -> Bools:
    """Which blocks stand below a heading that says that comments follow, in the same element; `paths` are theirs.

    >>> below_headings([Block("Comments (1)", "div>h3"), Block("Me too!", "div>p")], ["div>h3", "div>p"]).tolist()
    [True, True]
    """
    below = np.zeros(len(blocks), np.bool_)
    # No other element that is a step of a path begins like a heading, and this is asked of every path.
    levels = {
        path: _HEADINGS[tag] for path in paths if (tag := path[(start := path.rfind(">") + 1) : start + 2]) in _HEADINGS
    }
    for number, block in enumerate(blocks if levels else ()):
        if block.path in levels and len(block.text) <= _LONGEST and _HEADING.fullmatch(block.text):
            below[number : _end(blocks, number, levels)] = True
    return below


def _end(blocks: Sequence[Block], heading: int, levels: dict[str, int]) -> int:
    """The number of the first block behind what a heading stands above."""
    path = blocks[heading].path
    around = path.rpartition(">")[0]
    for number in range(heading + 1, len(blocks)):
        other = blocks[number].path
        if not is_within(other, around) or levels.get(other, len(_HEADINGS) + 2) <= levels[path]:
            return number
    return len(blocks)
