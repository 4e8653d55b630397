from __future__ import annotations

import pytest

from haenyeo.html.parse import parse_html
from haenyeo.model.pages import Url
from haenyeo.watch.paging import next_page

HERE = Url("https://a.example/goods?cat=7")


def found(html: str, url: str = HERE) -> str | None:
    return next_page(parse_html(html, Url(url)), Url(url))


@pytest.mark.parametrize("words", ["Next", "next page", "다음", "»", "Older posts", "더 보기"])
def test_a_link_that_says_next_is_followed(words: str) -> None:
    assert found(f"<p><a href='?cat=7&page=2'>{words}</a>") == f"{HERE}&page=2"


def test_a_link_that_is_marked_as_next_is_followed() -> None:
    assert found("<a rel='next' href='/goods/2'>Weitere</a>") == "https://a.example/goods/2"


def test_numbers_lead_to_the_page_after_this_one() -> None:
    links = "".join(f"<a href='?cat=7&page={number}'>{number}</a> " for number in (1, 2, 4, 5, 9))
    assert found(links) == f"{HERE}&page=2"
    assert found(links.replace("4", "3"), f"{HERE}&page=2") == f"{HERE}&page=3"
    assert found(links, f"{HERE}&page=9") is None


def test_numbers_in_paths_count_too() -> None:
    links = "<a href='/all/page/2/'>2</a> <a href='/all/page/3/'>3</a>"
    assert found(links, "https://a.example/all/") == "https://a.example/all/page/2/"
    assert found(links, "https://a.example/all/page/2/") == "https://a.example/all/page/3/"


def test_other_links_are_no_next_page() -> None:
    assert found("<a href='/item/2'>A mask</a> <a href='/2024/2'>2</a> <a href='https://b.example/'>next</a>") is None
