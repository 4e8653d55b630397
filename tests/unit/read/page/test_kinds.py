from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from haenyeo.html.parse import parse_text
from haenyeo.model.pages import Url
from haenyeo.read.page.kinds import IN_FORUM, address_features, crumb_features
from haenyeo.read.page.outline import PageOutline


@given(st.text())
def test_any_address_says_as_much(url: str) -> None:
    assert len(address_features(url)) == len(address_features("https://reef.example/t/1"))


def test_addresses_of_one_form_are_alike_and_others_differ() -> None:
    thread = address_features("https://forum.reef.example/t/low-tide/12345")
    assert thread == address_features("https://forum.other.example/t/low-tide/67890")
    assert thread != address_features("https://reef.example/blog/2024/05/low-tide")


def crumbs(html: str) -> list[float]:
    return crumb_features(PageOutline(parse_text(html, Url("https://reef.example/")).blocks))


def test_the_way_from_the_start_page_says_what_kind_a_page_is_in_any_language() -> None:
    forum = crumbs("<div class=breadcrumb><a href=/>Domů</a> » <a href=/f>Témata fóra</a> » Jiné</div><p>Ahoj.</p>")
    assert forum == crumbs("<ol id=crumbs><li>Home<li>Forums<li>Tides</ol><p>Hello.</p>")
    assert forum != crumbs("<ol id=crumbs><li>Home<li>News<li>Tides</ol><p>Hello.</p>")
    assert not any(crumbs("<p>Our forum is open.</p>"))
    assert forum[IN_FORUM]
    assert not crumbs("<ol id=crumbs><li>Home<li>Topics<li>Tides</ol><p>Hello.</p>")[IN_FORUM]
