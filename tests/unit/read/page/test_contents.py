from __future__ import annotations

import numpy as np
import pytest

from haenyeo.html.parse import parse_text
from haenyeo.model.pages import KINDS, Url
from haenyeo.read.page.doubts import doubted
from haenyeo.read.page.outline import PageOutline
from haenyeo.read.page.sections import contents_of, heading_levels

NAMES = ("Tides", "Reefs of the island", "Boats", "What divers eat")
SENTENCE = "The divers of the island know the {}, and they know every stone of the sea by its name. "


def page(entries: tuple[str, ...]) -> str:
    links = "".join(f"<li><a href=#c{number}>{entry}</a>" for number, entry in enumerate(entries))
    chapters = "".join(
        f"<h2 id=c{number}>{name}</h2><p>{SENTENCE.format(name) * 3}" for number, name in enumerate(NAMES)
    )
    return f"<title>Sea</title><main><h1>Sea</h1><p>{SENTENCE.format('sea')}<ul>{links}</ul>{chapters}</main>"


def listed(html: str) -> list[str]:
    outline = PageOutline(parse_text(html, Url("https://a.example/wiki/Sea")).blocks)
    found = contents_of(outline.blocks, outline.link_share, heading_levels(outline))
    return [] if found is None else [outline.blocks[number].text for number in np.flatnonzero(found).tolist()]


@pytest.mark.parametrize("number", ["", "{}. ", "1.{} ", "{}) "])
def test_links_that_are_called_as_the_chapters_below_are_the_contents(number: str) -> None:
    entries = tuple(number.format(place) + name for place, name in enumerate(NAMES, 1))
    assert listed(page(entries)) == list(entries)


def test_links_to_other_pages_are_no_contents() -> None:
    assert listed(page(("Wind", "Islands", "Tides", "Ships"))) == []
    assert listed(page(NAMES[:2])) == []


def test_links_below_the_chapters_are_no_contents() -> None:
    links = "".join(f"<li><a href=/{number}>{name}</a>" for number, name in enumerate(NAMES))
    assert listed(f"{page(())}<ul>{links}</ul>") == []


def test_a_name_of_many_digits_takes_no_longer() -> None:
    assert listed(page(("1" * 50_000,) * 3)) == []


def test_the_contents_of_a_page_are_hardly_its_text() -> None:
    outline = PageOutline(parse_text(page(NAMES), Url("https://a.example/wiki/Sea")).blocks)
    kinds = np.array([kind == "documentation" for kind in KINDS], np.float32)
    likely = doubted(outline, np.full(len(outline), 0.9, np.float32), kinds)
    linked = outline.link_share > 0
    assert linked.sum() == len(NAMES)
    assert (likely[linked] < 0.5).all()
    assert (likely[~linked] > 0.8).all()
