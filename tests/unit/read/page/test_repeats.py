from __future__ import annotations

import numpy as np

from haenyeo.model.pages import Block
from haenyeo.read.page.outline import PageOutline
from haenyeo.read.page.repeats import place_rows, repeats_of


def test_runs_of_a_place_are_counted_and_its_different_texts() -> None:
    paths = ["h1", "li", "li", "p", "li"]
    outline = PageOutline([Block(text, path) for text, path in zip("abbcd", paths, strict=True)])
    repeats = repeats_of(outline, np.ones(5, np.float32))
    at = outline.paths.index("li")
    assert (repeats.blocks[at], repeats.runs[at], repeats.core[at]) == (3, 2, 3)
    distinct = place_rows(outline, repeats)[8]
    assert distinct[outline.where == at].tolist() == [np.float32(2 / 3)] * 3
