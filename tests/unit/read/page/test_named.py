from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.model.pages import Block
from haenyeo.read.page.kinds import groups_in, groups_in_python
from haenyeo.read.page.sections import labels_among, labels_in_python

WORDS = st.sampled_from(
    ["postBody", "CommentList", "Related", "articles", "of", "reef", "후기", "\u212a", "x" * 50, "2."]
)
LINES = st.lists(st.lists(WORDS, max_size=11).map(" ".join), max_size=6)


@given(lines=LINES)
def test_names_of_steps_are_told_alike_with_and_without_compiled_code(lines: list[str]) -> None:
    assert groups_in(lines) == groups_in_python(lines)


@given(lines=LINES, headings=st.integers(0, 63), passed=st.integers(0, 63))
def test_labels_are_found_alike_with_and_without_compiled_code(lines: list[str], headings: int, passed: int) -> None:
    blocks = tuple([Block(line, "div>p") for line in lines])
    levels = np.array([2 * (headings >> number & 1) for number in range(len(lines))], np.float32)
    may_be = np.array([not passed >> number & 1 for number in range(len(lines))], np.bool_)
    assert labels_among(blocks, levels, may_be) == labels_in_python(blocks, levels, may_be)


def test_a_heading_is_a_label_of_no_kind_but_a_line_is_none() -> None:
    blocks = tuple(
        map(Block, ["Tides", "Tides", "Related articles", "Reef and comments", "Reef and comments"], ["p"] * 5)
    )
    levels = np.array([2, 0, 0, 3, 0], np.float32)
    found = labels_among(blocks, levels, np.ones(5, np.bool_))
    assert [(number, level) for number, level, _ in found] == [(0, 2), (2, 0), (3, 3)]
    assert [bool(kinds) for _, _, kinds in found] == [False, True, True]
