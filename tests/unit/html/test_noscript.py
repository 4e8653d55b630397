from __future__ import annotations

import pytest

from haenyeo.html.parse import parse_html, parse_page, parse_text
from haenyeo.model.pages import Markup, Url

PAGE = Url("http://reef.test/")
POSTS = "".join(f"<p>Post {number}: the tide was low and the reef was bare all day long." for number in range(20))


def texts(markup: Markup) -> list[str]:
    return [block.text for block in markup.blocks]


@pytest.mark.parametrize("tag", ["noscript", "NOSCRIPT data-path=/"])
def test_a_page_whose_text_stands_only_in_noscript_is_read_there(tag: str) -> None:
    html = f"<title>Reef</title><p>Loading<{tag}>{POSTS}<a href=/next>Next</a></noscript>"
    found = parse_html(html, PAGE)
    assert len(texts(found)) == 21
    assert texts(parse_page(html.encode(), PAGE, "text/html; charset=utf-8")) == texts(found)
    assert texts(parse_page(html.encode("utf-16"), PAGE)) == texts(found)
    assert texts(parse_text(html, PAGE)) == texts(found)
    assert [link.url for link in found.links] == ["http://reef.test/next"]


def test_noscript_stays_closed_where_the_page_has_text_of_its_own() -> None:
    html = f"<div>{POSTS * 2}</div><noscript>{POSTS}</noscript>"
    assert len(texts(parse_html(html, PAGE))) == 40


def test_a_notice_in_noscript_is_no_text() -> None:
    assert texts(parse_html("<p>Hello<noscript><p>Please turn scripts on.</noscript>", PAGE)) == ["Hello"]


@pytest.mark.parametrize("title", ["<title>Reef\n", "<TITLE id=a>Reef"])
def test_a_page_whose_title_does_not_end_is_read_behind_it(title: str) -> None:
    html = f"<head>{title}<link rel=x></head><body>{POSTS}"
    found = parse_html(html, PAGE)
    assert len(texts(found)) == 20
    assert found.title == "Reef"
    assert texts(parse_page(html.encode(), PAGE, "text/html; charset=utf-8")) == texts(found)


def test_a_title_in_many_a_drawing_costs_no_more_than_its_length() -> None:
    assert texts(parse_html("<svg><title>Reef</title></svg>" * 20_000, PAGE)) == []
