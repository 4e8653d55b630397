"""Bars that lead to the pages before and after are known by the company of their links."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.model.pages import Block
from haenyeo.read.extract import extract_site
from haenyeo.read.page.signposts import signposts


def _bar(*texts: str, path: str = "div.nav>table>tr>td", linked: bool = True) -> list[Block]:
    return [Block(text, path, len(text) if linked else 0) for text in texts]


_TITLE = Block("7.3. Tides", "div.nav>table>tr>th")
_TEXT = Block("Divers know the tides. " * 10, "div.sect>p")


def test_a_bar_has_the_titles_beside_its_links() -> None:
    blocks = [_TITLE, *_bar("Prev", "Up", "Next"), _TEXT, *_bar("Prev", "Home"), Block("7.4. Reefs", _TITLE.path)]
    assert signposts(blocks) == [0, 1, 2, 3, 5, 6, 7]


@pytest.mark.parametrize(
    "ways",
    [("이전", "다음"), ("« Zurück", "Weiter »"), ("PREVIOUS", "CONTENTS"), ("이전 글", "다음 글"), ("前へ", "目次")],
)
def test_many_languages_are_known(ways: tuple[str, str]) -> None:
    assert signposts([_TEXT, *_bar(*ways), _TEXT]) == [1, 2]


@pytest.mark.parametrize(
    "ways",
    [
        ("[ << Sea ]", "[Top][Contents][Index]", "[ Harbours >> ]"),
        ("[ < Nets ]", "[ Up : Sea ]", "[ Reefs > ]"),
        ("Next: Reefs, Previous: Nets, Up: Sea [Contents][Index]",),
        ("Previous: Nets, Up: Sea",),
    ],
)
def test_manuals_made_with_texinfo_are_known(ways: tuple[str, ...]) -> None:
    assert signposts([*_bar(*ways), _TEXT, *_bar(*ways)]) == [
        number for number in range(2 * len(ways) + 1) if number != len(ways)
    ]


@pytest.mark.parametrize(
    "blocks",
    [
        _bar("[1]", "[2]"),  # notes
        _bar("Next: the harbour of Gimnyeong"),  # one way
        [*_bar("Next"), _TEXT, *_bar("Prev")],  # one each: no bar
        _bar("Next", "Next"),  # twice the same, as in a row of pictures
        _bar("Home", "Up"),  # leads to no neighbour
        _bar("Prev", "Next", linked=False),  # words of a text about such bars
        [Block("Prev", "td", 4), Block("A long text. " * 20, "td"), Block("Next", "td", 4)],
    ],
)
def test_what_only_looks_like_a_bar_is_none(blocks: list[Block]) -> None:
    assert signposts(blocks) == []


def test_only_what_stands_between_the_links_goes_where_their_element_holds_the_text_as_well() -> None:
    path = "table>tr>td"
    text = Block(_TEXT.text, path)
    blocks = [text, *_bar("Prev", path=path), Block("7.4. Reefs", path), *_bar("Next", path=path), text]
    assert signposts(blocks) == [1, 2, 3]


_blocks = st.builds(
    Block,
    st.sampled_from(["Prev", "Next", "Home", "Title", "text " * 60]),
    st.sampled_from(["", "p", "div>p", "div>table>tr>td", "div.a>ul>li"]),
    st.integers(0, 9),
)


@given(st.lists(_blocks, max_size=40))
def test_each_block_is_named_once_and_no_long_one(blocks: list[Block]) -> None:
    found = signposts(blocks)
    assert len(set(found)) == len(found)
    assert all(len(blocks[number].text) < 200 for number in found)


def _page(number: int) -> tuple[str, str]:
    names = ["Tides", "Reefs", "Winds", "Boats", "Nets", "Shells", "Songs", "Stones"]
    title = f"{number // 3 + 1}.{number % 3 + 1}. {names[number]}"
    text = f"{names[number]} are known to every diver of the village, and each of them has a name. " * 3
    ways = "<td><a href=a>Prev</a></td><td><a href=b>Up</a></td><td><a href=c>Next</a></td>"
    parts = [
        f"<title>{title}</title><div class=head><table><tr><th>{title}</th></tr><tr>{ways}</tr></table></div>",
        f"<div class=sect><h2>{title}</h2><p>{text}<p>More of {names[number]} is told by the fire at night.</div>",
        f"<div class=foot><table><tr>{ways}</tr><tr><td>{names[number - 1]}</td><td>{names[number - 7]}</td>",
    ]
    return f"https://a.example/{number}", "".join(parts)


def test_the_pages_of_a_manual_begin_with_their_headings_and_end_with_their_texts() -> None:
    for number, document in enumerate(extract_site([_page(number) for number in range(8)])):
        lines = [line for line in document.text.splitlines() if line]
        assert lines[0] == f"{number // 3 + 1}.{number % 3 + 1}. {document.title.rpartition(' ')[2]}"
        assert lines[-1].endswith("by the fire at night.")
