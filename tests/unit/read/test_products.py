from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from haenyeo.model.pages import Post, Product
from haenyeo.read.extract import extract_site
from haenyeo.read.facts import Facts, facts_of
from haenyeo.read.products import product_of

KETTLE = {
    "@context": "https://schema.org",
    "@type": "Product",
    "name": "Kettle K1",
    "brand": {"@type": "Brand", "name": "Steam"},
    "sku": 4711,
    "offers": [{"@type": "Offer", "price": 39.5, "priceCurrency": "EUR", "availability": "https://schema.org/InStock"}],
    "aggregateRating": {"ratingValue": "4.5", "reviewCount": 12},
    "review": [
        {"author": {"name": "anna"}, "datePublished": "2025-03-03T10:00", "reviewBody": "Boils fast."},
        {"author": "bob", "reviewBody": ""},
    ],
}


def facts_in(*nodes: object, head: str = "") -> Facts:
    scripts = "".join(f'<script type="application/ld+json">{json.dumps(node)}</script>' for node in nodes)
    return facts_of(f"<html><head>{head}{scripts}</head></html>")


def test_what_json_ld_says_of_a_product_is_told() -> None:
    assert product_of(facts_in(KETTLE), "product") == Product(
        name="Kettle K1",
        brand="Steam",
        sku="4711",
        price="39.5",
        currency="EUR",
        availability="InStock",
        rating="4.5",
        ratings="12",
        reviews=(Post(author="anna", published="2025-03-03", text="Boils fast."),),
    )


def test_the_product_may_be_what_another_node_is_about() -> None:
    found = product_of(facts_in({"@type": "Organization"}, {"@type": "ItemPage", "mainEntity": KETTLE}), "product")
    assert found is not None
    assert (found.name, found.price) == ("Kettle K1", "39.5")


def test_of_several_offers_and_of_variants_the_lowest_or_first_price_counts() -> None:
    range_of = {"@type": "Product", "offers": {"@type": "AggregateOffer", "lowPrice": "10.00", "priceCurrency": "KRW"}}
    variants = {"@type": "ProductGroup", "hasVariant": [{"@type": "Product", "offers": {"price": "7"}}]}
    prices = [product_of(facts_in(node), "product") for node in (range_of, variants)]
    assert [found and (found.price, found.currency) for found in prices] == [("10.00", "KRW"), ("7", "")]


def test_opengraph_and_microdata_tell_prices_where_json_ld_does_not() -> None:
    graph = (
        '<meta property="product:price:amount" content="5.90"><meta property="product:price:currency" content="EUR">'
    )
    items = '<meta itemprop="price" content="6.10"><meta itemprop="priceCurrency" content="USD">'
    found = [product_of(facts_in(head=head), "product") for head in (graph + items, items)]
    assert [each and (each.price, each.currency) for each in found] == [("5.90", "EUR"), ("6.10", "USD")]


def test_pages_of_other_kinds_and_pages_that_tell_nothing_have_none() -> None:
    assert product_of(facts_in(KETTLE), "article") is None
    assert product_of(facts_in({"@type": "Product"}), "product") is None


def test_a_document_of_a_shop_has_its_product() -> None:
    page = (
        f"<title>Kettle K1 | Steam shop</title><script type=application/ld+json>{json.dumps(KETTLE)}</script>"
        "<div class=product><h1>Kettle K1</h1><p class=price>39.50 €</p><button class=add-to-cart>Add to cart</button>"
        "<div class=description><p>This kettle boils a litre of water in two minutes, and never drips.</p></div></div>"
    )
    [document] = extract_site([("https://steam.example/shop/product/kettle-k1", page)])
    assert document.kind == "product"
    assert document.product is not None
    assert document.product.price == "39.5"


values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*KETTLE, "price", "name"]), inner),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from([*KETTLE, "mainEntity", "hasVariant"]), values))
def test_whatever_a_product_says_is_told_or_passed_over(said: dict[str, Any]) -> None:
    facts = Facts(all={"json-ld": [said | {"@type": "Product"}]})
    found = product_of(facts, "product")
    assert found is None or isinstance(found.price, str)


def test_a_product_with_a_price_but_no_name_is_called_as_its_page() -> None:
    priced = '<meta property="product:price:amount" content="5.90">'
    assert product_of(facts_in(head=priced), "product", "Kettle K1") == Product(name="Kettle K1", price="5.90")
    assert product_of(facts_in(), "product", "Kettle K1") is None


def test_names_that_are_escaped_twice_are_read() -> None:
    found = product_of(facts_in({"@type": "Product", "name": "L&amp;#8217;Atelier kettle"}), "product")
    assert found is not None
    assert found.name == "L\u2019Atelier kettle"
