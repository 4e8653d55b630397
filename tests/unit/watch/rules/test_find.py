from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from haenyeo.watch.rules.find import find_records
from haenyeo.watch.rules.places.tree import Tree


@pytest.mark.parametrize("look", ["table", "cards"])
def test_records_are_found_and_their_fields_named_without_examples(
    make_items: Callable[..., Any], make_page: Callable[..., Any], look: str
) -> None:
    items = make_items(15)
    rule = find_records(Tree(make_page(items, look)))
    assert rule is not None
    assert rule.extract(make_page(items, look)) == items


def test_prices_and_images_are_named_by_their_values() -> None:
    shop = "".join(
        f'<div><img src="/{n}.jpg"><h3><a href="/p/{n}">Diving mask {n} of Jeju</a></h3><b>{n},500원</b></div>'
        for n in range(1, 9)
    )
    rule = find_records(Tree(f"<main>{shop}</main>"))
    assert rule is not None
    assert rule.extract(f"<main>{shop}</main>")[2] == {
        "title": "Diving mask 3 of Jeju",
        "link": "/p/3",
        "price": "3,500원",
        "image": "/3.jpg",
    }


def test_a_menu_is_not_what_the_page_is_about(make_items: Callable[..., Any], make_page: Callable[..., Any]) -> None:
    menu = "".join(f'<li><a href="/m/{n}">A long entry of the menu number {n}</a></li>' for n in range(60))
    page = make_page(make_items(10)).replace("</nav>", f"<ul>{menu}</ul></nav>")
    rule = find_records(Tree(page))
    assert rule is not None
    assert len(rule.extract(page)) == 10


@pytest.mark.parametrize("html", ["", "<p>One text and no list.</p>", "<ul><li>1<li>2<li>3</ul>"])
def test_a_page_without_a_list_has_no_records(html: str) -> None:
    assert find_records(Tree(html)) is None
