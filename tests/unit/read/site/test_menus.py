"""Menus are long runs of links that other pages have as well."""

from __future__ import annotations

import numpy as np

from haenyeo.html.parse import parse_text
from haenyeo.model.pages import Markup, Url
from haenyeo.read.page.judge import JudgedPage
from haenyeo.read.site.menus import LONG, menus
from haenyeo.read.site.reader import SiteReader

_WORDS = ["tide", "reef", "shell", "diver", "kelp", "foam", "gull", "harbour", "net", "moon", "wind", "salt"]


def _found(linked: list[bool], pages: list[int], words: list[int]) -> list[bool]:
    counts = np.array(pages, np.float32)
    found: list[bool] = menus(np.array(linked), np.array(words), counts.__getitem__).tolist()
    return found


def test_a_long_run_of_links_that_other_pages_have_is_a_menu() -> None:
    assert _found([False] + [True] * LONG, [1] + [3] * LONG, [40] + [2] * LONG) == [False] + [True] * LONG


def test_a_short_run_and_links_of_this_page_alone_are_none() -> None:
    assert not any(_found([False] + [True] * (LONG - 1), [1] + [3] * (LONG - 1), [40] + [2] * (LONG - 1)))
    assert not any(_found([False] + [True] * LONG, [1] * (LONG + 1), [40] + [2] * LONG))


def test_on_a_page_that_is_a_list_the_list_is_the_text() -> None:
    assert not any(_found([False] + [True] * LONG, [1] + [3] * LONG, [2] + [2] * LONG))


def _page(manual: str, number: int) -> Markup:
    """A page of a site of many manuals, each of which has its own contents on every page."""
    contents = "".join(
        f"<li><a href='/{manual}/{n}'>{manual} {word} of part {n}, with all that it says</a>"
        for n, word in enumerate(_WORDS)
    )
    said = " ".join(_WORDS[(number * 5 + n * n) % len(_WORDS)] for n in range(30))
    body = f"<div><h1>{manual} {number}</h1><p>{said} on page {number} of {manual}, {said[::-1]}.</div>"
    return parse_text(
        f"<title>{manual} {number}</title>{body}<div><ul>{contents}</ul></div>", Url("http://sea.example/")
    )


def test_the_contents_of_one_manual_among_many_are_no_text_however_a_page_is_read() -> None:
    reader = SiteReader()
    for number in range(3):
        for manual in ("nets", "boats", "songs", "winds", "soups"):
            reader.learn(JudgedPage.of(_page(manual, number)))
    page = _page("nets", 7)
    in_full = [
        block.text for block, keep in zip(page.blocks, reader.read(JudgedPage.of(page)).kept, strict=True) if keep
    ]
    skimmed = [page.blocks[number].text for number in reader.skim_any(page.blocks)]
    for texts in (in_full, skimmed):
        assert any("on page 7" in text for text in texts)
        assert not any("of part" in text for text in texts)


def test_a_skimmed_text_that_is_mostly_links_is_read_in_full() -> None:
    reader = SiteReader()
    for number in range(3):
        for manual in ("nets", "boats", "songs", "winds", "soups"):
            reader.learn(JudgedPage.of(_page(manual, number)))
    known, first_of_its_manual = _page("nets", 7), _page("lamps", 1)
    assert reader.skim(known.blocks) is not None
    kept = reader.skimmer.kept(first_of_its_manual.blocks) if reader.skimmer else None
    assert kept is not None
    assert sum("of part" in first_of_its_manual.blocks[number].text for number in kept) == len(_WORDS)
    assert reader.skim(first_of_its_manual.blocks) is None
