from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from haenyeo.watch.layout import Layout, describe_layout


def test_a_layout_survives_json(make_items: Callable[..., Any], make_page: Callable[..., Any]) -> None:
    layout = describe_layout([make_page(make_items(5)), make_page(make_items(5), "table")])
    assert len(layout.pages) == 2
    assert msgspec.json.decode(msgspec.json.encode(layout), type=Layout) == layout


def test_a_layout_holds_no_words(make_items: Callable[..., Any], make_page: Callable[..., Any]) -> None:
    items = make_items(5)
    described = msgspec.json.encode(describe_layout([make_page(items)])).decode()
    assert not any(item["title"] in described for item in items)


def test_the_order_of_attributes_does_not_matter() -> None:
    assert describe_layout(['<p id="a" class="b c">x']) == describe_layout(['<p class="b c" id="a">x'])
