from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from haenyeo.html.parse import parse_text
from haenyeo.model.pages import Block, Url
from haenyeo.read.labels import KINDS
from haenyeo.read.page.outline import PageOutline
from haenyeo.read.page.sections import heading_levels, label_rows


def below(html: str) -> dict[str, list[str]]:
    """The texts that stand below a label of each kind, or are one."""
    outline = PageOutline(parse_text(html, Url("https://reef.example/")).blocks)
    rows = label_rows(outline, heading_levels(outline))
    found = {
        kind: [block.text for block, is_below in zip(outline.blocks, row, strict=True) if is_below]
        for kind, row in zip(KINDS, rows, strict=True)
    }
    return {kind: texts for kind, texts in found.items() if texts}


def test_a_heading_speaks_for_all_up_to_the_next_of_its_level() -> None:
    related = "<h2>Related articles</h2><h3>High tide</h3><p>Two.</p>"
    html = f"<h1>Low tide</h1><p>One.</p>{related}<h2>The market</h2><p>Three.</p>"
    assert below(html) == {"elsewhere": ["Related articles", "High tide", "Two."]}


def test_a_label_that_is_no_heading_speaks_for_its_surroundings() -> None:
    html = "<main><p>One.</p><div><div>댓글</div><p>Two.</p></div></main><footer><p>Three.</p></footer>"
    assert below(html) == {"talk": ["댓글", "Two."]}


def test_links_and_long_headings_are_no_labels() -> None:
    assert not below("<ul><li><a href=/s>Search</a></ul><p>One.</p>")
    assert not below("<h2>Why divers of the island read the latest tide tables</h2><p>One.</p>")


_blocks = st.builds(Block, st.sampled_from(["Details", "More", "x"]), st.sampled_from(["div>h2", "div>p", "p", "h3"]))


@given(st.lists(_blocks))
def test_every_block_is_below_a_label_or_not(blocks: list[Block]) -> None:
    outline = PageOutline(blocks)
    rows = label_rows(outline, heading_levels(outline))
    assert rows.shape == (len(KINDS), len(blocks))
    assert set(rows.ravel().tolist()) <= {0.0, 1.0}
