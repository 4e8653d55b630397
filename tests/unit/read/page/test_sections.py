from __future__ import annotations

import numpy as np

from haenyeo.html.parse import parse_text
from haenyeo.model.pages import Url
from haenyeo.read.page.outline import PageOutline
from haenyeo.read.page.sections import heading_levels, section_rows, title_rows

PAGE = "<p>Home<h1>Low tide</h1><p>One.<h2>Notes</h2><p>Two.<h1>High tide</h1><p>Three."


def test_blocks_know_their_section_and_how_far_they_are_from_the_title() -> None:
    outline = PageOutline(parse_text(PAGE, Url("https://a.example/")).blocks)
    levels = heading_levels(outline)
    assert levels.tolist() == [0, 1, 0, 2, 0, 1, 0]
    *_, since, level = section_rows(outline, np.ones(7, np.float32), levels)
    assert since.tolist() == [50, 0, 1, 0, 1, 0, 1]
    assert level.tolist() == [0, 1, 1, 2, 2, 1, 1]
    overlap, behind, headings = title_rows(outline, "Low tide | Reef", levels)
    assert overlap[1] == overlap.max() > overlap[5]
    assert behind.tolist() == [-1, 0, 1, 2, 3, 4, 5]
    assert headings.tolist() == [-1, 0, 0, 0, 0, 1, 1]
