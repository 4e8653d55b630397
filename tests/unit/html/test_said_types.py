from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.html.head import said_types
from haenyeo.html.parse import parse_html, parse_page
from haenyeo.model.pages import Url

SCHEMA, PRODUCT = '"@context": "https://schema.org"', '"@type": ["Product", "Thing"]'


@pytest.mark.parametrize(
    ("html", "types"),
    [
        (f"<script type=application/ld+json>{{{SCHEMA}, {PRODUCT}}}</script>", {"product"}),
        (f"<script type=application/ld+json>{{{PRODUCT}}}</script>", set()),
        ("<div itemscope itemtype='http://schema.org/Question'>", {"question"}),
        ("<meta content='product.item' property='og:type'>", {"og:product"}),
        ("<meta property=og:type content=website>", {"og:website"}),
        ("<p>Nothing</p>", set()),
    ],
)
def test_a_page_says_what_it_is_in_several_ways(html: str, types: set[str]) -> None:
    assert said_types(html) == types
    address = Url("https://reef.example/")
    assert parse_html(html, address).types == parse_page(html.encode(), address).types == types


@given(st.text() | st.binary())
def test_any_page_may_say_nothing(page: str | bytes) -> None:
    assert isinstance(said_types(page), frozenset)
