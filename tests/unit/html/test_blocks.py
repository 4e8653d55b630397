from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from haenyeo.html.blocks import (
    MAX_CLASSES,
    MAX_PATH,
    MAX_SIGNS,
    FoundLink,
    GatheredText,
    first_classes,
    headings,
    path_to,
    signs_to,
)
from haenyeo.model.pages import Block


def gathered(*blocks: list[str]) -> GatheredText:
    """The texts of blocks as a walk gathers them; each is in the link of its number."""
    text = GatheredText()
    length = 0
    for texts in blocks:
        text.pieces.append(" ")
        length += 1
        text.starts.append(length)
        text.paths.append("p")
        text.signs.append("")
        for piece in texts:
            text.marks.append((len(text.marks), len(text.starts) - 1, length, length + len(piece)))
            text.pieces.append(piece)
            length += len(piece)
    return text


def test_no_text_makes_no_block() -> None:
    assert GatheredText().blocks([]) == []


def test_white_space_is_squeezed_within_blocks_and_at_their_ends() -> None:
    links = [FoundLink("a"), FoundLink("b")]
    assert gathered(["  one\n", "\t two  three \n "]).blocks(links) == [Block("one two three", "p", 12)]
    assert [(link.start, link.end) for link in links] == [(0, 3), (4, 13)]


def test_control_characters_alone_make_no_block() -> None:
    links = [FoundLink("a"), FoundLink("b"), FoundLink("c")]
    assert gathered(["one"], ["\x01\x02"], ["two"]).blocks(links) == [Block("one", "p", 3), Block("two", "p", 3)]
    assert [link.block for link in links] == [0, -1, 1]


pieces = st.text(alphabet="ab \n\t\xa0\u3000해🐚", max_size=6).filter(str.strip)


@given(st.lists(st.lists(pieces, min_size=1, max_size=4), max_size=5))
def test_blocks_are_their_texts_squeezed_and_links_find_theirs(texts: list[list[str]]) -> None:
    links = [FoundLink("x") for block in texts for _ in block]
    blocks = gathered(*texts).blocks(links)
    assert [block.text for block in blocks] == [" ".join("".join(block).split()) for block in texts]
    found = [blocks[link.block].text[link.start : link.end] for link in links]
    assert found == [" ".join(piece.split()) for block in texts for piece in block]


def test_a_path_grows_by_a_step() -> None:
    assert path_to("", "div", "") == "div"
    assert path_to("div.a", "p", "y  x y") == "div.a>p.x.y"
    assert path_to("div.a", "", "z") == "div.a"
    assert path_to("div.a", "h2", "x>y [&>p]:z") == "div.a>h2.[&p]:z.xy"


def test_signs_grow_by_what_an_element_says() -> None:
    assert signs_to("", "", "", "", "", False) == ""
    assert signs_to("#a", "b c", "main", "articleBody", "color: red", True) == "#a #b #c @main @articleBody !hidden"
    assert signs_to("", "", "", "", "color:red;Visibility :\nHIDDEN", False) == "!hidden"


def test_a_segment_that_is_streamed_behind_the_page_is_not_hidden() -> None:
    assert signs_to("", "S:1f", "", "", "", True) == "#S:1f"
    assert signs_to("", "S:more", "", "", "", True) == "#S:more !hidden"


def test_signs_stop_growing() -> None:
    assert signs_to("#a", "x" * MAX_SIGNS, "", "", "", False) == "#a"
    assert signs_to("#a", "x" * (MAX_SIGNS + 1), "main", "", "", False) == "#a @main"


def test_a_path_stops_growing() -> None:
    assert path_to("x" * MAX_PATH, "p", "") == "x" * MAX_PATH


@given(st.permutations([f"class-{number}" for number in range(40)]))
def test_the_first_classes_do_not_depend_on_their_order(names: list[str]) -> None:
    kept = first_classes(" ".join(names)).split()
    assert kept == sorted(names)[: len(kept)]
    assert MAX_CLASSES - 10 < len(" ".join(kept)) <= MAX_CLASSES


def test_headings_of_the_first_level_are_told_from_the_others() -> None:
    blocks = [
        Block("Reefs", "main>h1.title"),
        Block("They live.", "main>p"),
        Block("Corals", "main>section>h2"),
        Block("Hard ones", "h3>span"),
        Block("x", "th10>p"),
        Block("y", "hr>h1x"),
    ]
    assert headings(blocks) == ("Reefs", "Corals\nHard ones")
