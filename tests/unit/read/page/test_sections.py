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
    *_, since, level, linked = section_rows(outline, np.ones(7, np.float32), levels)
    assert not linked.any()
    assert since.tolist() == [50, 0, 1, 0, 1, 0, 1]
    assert level.tolist() == [0, 1, 1, 2, 2, 1, 1]
    overlap, behind, headings = title_rows(outline, "Low tide | Reef", levels)
    assert overlap[1] == overlap.max() > overlap[5]
    assert behind.tolist() == [-1, 0, 1, 2, 3, 4, 5]
    assert headings.tolist() == [-1, 0, 0, 0, 0, 1, 1]


def test_what_stands_below_a_heading_that_is_a_link_knows_it() -> None:
    html = "<h2>Low tide</h2><p>One.</p><h2><a href=/storm>Storm</a></h2><p>Two.</p>"
    outline = PageOutline(parse_text(html, Url("https://a.example/")).blocks)
    *_, linked = section_rows(outline, np.ones(4, np.float32), heading_levels(outline))
    assert linked.tolist() == [0, 0, 1, 1]
