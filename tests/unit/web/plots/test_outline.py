from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from haenyeo.web.plots.outline import DEEPEST, LONGEST, MOST_BLOCKS, WIDTH, Drawn, OutlinePiece, outlines

OLD = [
    OutlinePiece(("div.top",), "The shop"),
    OutlinePiece(("table", "tr.item", "td.name"), "A float"),
    OutlinePiece(("table", "tr.item", "td.price"), "3.50"),
    OutlinePiece(("p.foot",), "About us"),
]
NEW = [
    OutlinePiece(("header",), "The shop"),
    OutlinePiece(("ul", "li.result", "b"), "A float"),
    OutlinePiece(("ul", "li.result", "i"), "9.90"),
    OutlinePiece(("p.foot",), "About us"),
]


def kinds(boxes: tuple[Drawn, ...]) -> dict[str, str]:
    return {box.label: box.kind for box in boxes}


def test_parts_are_told_by_what_became_of_them() -> None:
    before, after = outlines(OLD, NEW)
    assert kinds(before.boxes) == {
        "The shop": "moved",
        "tr.item": "lost",
        "A float": "moved",
        "3.50": "lost",
        "About us": "same",
    }
    assert kinds(after.boxes)["9.90"] == "fresh"
    assert kinds(after.boxes)["li.result"] == "fresh"


def test_a_text_that_is_cut_into_other_blocks_is_moved_and_not_gone_and_new() -> None:
    whole = [OutlinePiece(("table", "td"), "A float of cork, for deep water, €3.50 a piece")]
    cut = [
        OutlinePiece(("ul", "li", "b"), "A float of cork, for deep water,"),
        OutlinePiece(("ul", "li", "i"), "€3.50 a piece"),
    ]
    before, after = outlines(whole, cut)
    assert {box.kind for drawn in (before, after) for box in drawn.boxes if box.is_text} == {"moved"}


def test_a_text_that_only_changed_places_is_moved_in_both_versions() -> None:
    names = ["Opening hours", "Tickets are sold here", "How to find us"]
    before = [OutlinePiece(("main", "p"), name) for name in names]
    after = [before[1], before[2], before[0]]
    for drawn in outlines(before, after):
        found = kinds(drawn.boxes)
        assert [found[name] for name in names] == ["moved", "same", "same"]


def test_a_page_that_did_not_change_is_the_same_all_over() -> None:
    before, after = outlines(OLD, OLD)
    assert before == after
    assert set(kinds(before.boxes).values()) == {"same"}


def test_long_lists_are_cut_and_counted() -> None:
    listed = [OutlinePiece(("ul", "li"), f"item {number}") for number in range(LONGEST + 3)]
    drawn, _ = outlines(listed, [])
    assert "… 3 more blocks" in kinds(drawn.boxes)
    assert f"item {LONGEST}" not in kinds(drawn.boxes)


steps = st.lists(st.sampled_from(["div", "ul.a", "li", "p", "td.b"]), max_size=2 * DEEPEST).map(tuple)
pieces = st.lists(st.builds(OutlinePiece, steps, st.text(max_size=400)), max_size=2 * MOST_BLOCKS)


@given(pieces, pieces)
def test_everything_lies_inside(before: list[OutlinePiece], after: list[OutlinePiece]) -> None:
    for outline in outlines(before, after):
        for box in outline.boxes:
            assert 0 <= box.x < box.x + box.width <= WIDTH
            assert 0 <= box.y < box.y + box.height <= outline.height
