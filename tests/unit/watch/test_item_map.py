"""Cho, Lee & Choi 2013, section 3.3: lists first, items through the map of each category, none twice."""

from __future__ import annotations

from haenyeo.model.pages import Url
from haenyeo.watch.item_map import CategoryPatterns, ItemMap

SHOP = {
    "masks": CategoryPatterns([r"https://a\.example/masks(\?page=\d+)?"], [r"https://a\.example/p/\d+"]),
    "fins": CategoryPatterns([r"https://a\.example/fins"], [r"https://a\.example/p/\d+"]),
}


def test_each_item_of_a_category_is_found_once() -> None:
    items = ItemMap(SHOP)
    named = ["https://a.example/p/1", "https://a.example/about", "https://a.example/p/2", "https://a.example/p/1"]
    assert items.found("https://a.example/masks", named) == ["https://a.example/p/1", "https://a.example/p/2"]
    assert items.found("https://a.example/masks?page=2", [*named, "https://a.example/p/3"]) == ["https://a.example/p/3"]
    assert items.found("https://a.example/fins", named[:1]) == ["https://a.example/p/1"], "another category"


def test_a_page_that_is_no_list_names_no_items() -> None:
    assert ItemMap(SHOP).found("https://a.example/p/1", ["https://a.example/p/2"]) == []


def test_lists_come_before_items() -> None:
    urls = [Url(f"https://a.example/{name}") for name in ("p/1", "masks", "p/2", "fins")]
    assert ItemMap(SHOP).in_order(urls) == [urls[1], urls[3], urls[0], urls[2]]
    assert ItemMap({}).in_order(urls) == urls
