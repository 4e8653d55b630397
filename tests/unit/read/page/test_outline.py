from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.model.pages import Block
from haenyeo.read.page.outline import MAX_PATHS, PageOutline, is_line_numbers
from haenyeo.read.page.texts import count_words, text_key
from haenyeo.read.page.tree import PathTree


@pytest.mark.parametrize(("text", "words"), [("one two three", 3), ("물속의 숨", 2), ("海女", 3), ("a\nb", 2)], ids=str)
def test_words_are_counted_in_every_script(text: str, words: int) -> None:
    assert count_words(text) == words


@pytest.mark.parametrize("text", ["1 2 3", "1\n2\n3\n4", "17 18 19"])
def test_numbers_that_count_up_are_line_numbers(text: str) -> None:
    assert is_line_numbers(text)


@pytest.mark.parametrize("text", ["1", "1 3 5", "3 2 1", "2 apples", "1 2 x", "", "² ³", "1 " * 3 + "9" * 5000])
def test_other_texts_are_no_line_numbers(text: str) -> None:
    assert not is_line_numbers(text)


def test_a_lone_one_is_a_line_number_beside_code_only() -> None:
    assert is_line_numbers("1", "table>tbody>tr>td.gutter>pre")
    assert not is_line_numbers("1", "table>tbody>tr>td")


def test_short_texts_that_differ_in_numbers_have_one_key() -> None:
    assert text_key("12 comments") == text_key("7 comments")
    assert text_key("12 comments") != text_key("12 shares")


def test_numbers_count_in_long_texts() -> None:
    text = "In the year {} the divers of the island brought up more than in any other year before or since."
    assert text_key(text.format(1932)) != text_key(text.format(1933))


def test_a_long_text_said_twice_counts_once() -> None:
    text = "The sea is cold. " * 60
    outline = PageOutline([Block(text, "p"), Block(text, "p"), Block("short", "p"), Block("short", "p")])
    assert outline.silent.tolist() == [False, True, False, False]
    assert outline.weight[1] == 0


def test_a_copy_of_the_text_for_machines_counts_for_nothing() -> None:
    paragraphs = [f"The sea is cold on day {day}, and the divers go out before the sun does. " * 3 for day in range(9)]
    blocks = [Block("".join(paragraphs), "div"), *(Block(text.strip(), "p") for text in paragraphs)]
    assert PageOutline(blocks).silent.tolist() == [True] + 9 * [False]


def test_more_paths_than_are_told_apart_do_no_harm() -> None:
    outline = PageOutline([Block("x", f"div.c{number}>p") for number in range(3 * MAX_PATHS)])
    assert len(outline.paths) == MAX_PATHS
    assert outline.where.max() < MAX_PATHS
    again = PageOutline.from_bytes(outline.blocks, outline.to_bytes())
    assert again.paths == outline.paths
    assert (again.where == outline.where).all()


def test_a_tree_knows_what_lies_in_what() -> None:
    tree = PathTree(["div.a>p", "div.a>ul>li", "nav"])
    inside = {
        (path, prefix)
        for number, prefix in enumerate(tree.prefixes)
        for path, is_inside in enumerate(tree.is_inside(number).tolist())
        if is_inside
    }
    assert (0, "div.a") in inside
    assert (1, "div.a") in inside
    assert (2, "div.a") not in inside
    assert {(number, "") for number in range(3)} <= inside


def test_a_container_is_no_part_of_a_text() -> None:
    tree = PathTree(["div.a>ul>li"])
    may = {prefix for prefix, possible in zip(tree.prefixes, tree.may_contain, strict=True) if possible}
    assert may == {"", "div.a"}


@given(st.lists(st.builds(Block, st.text(), st.text(alphabet="div>.a"), st.integers(0, 9))))
def test_any_blocks_have_an_outline(blocks: list[Block]) -> None:
    outline = PageOutline(blocks)
    assert len(outline.keys) == len(outline.words) == len(blocks)
    assert ((outline.link_share >= 0) & (outline.link_share <= 1)).all()
    assert outline.tree.up.shape[1] == len(outline.paths)
