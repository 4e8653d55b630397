"""What a shop says of a product for machines: price, brand, whether there is any left, ratings and reviews.

From JSON-LD of schema.org (Product, Offer, Review), OpenGraph (`product:price:amount`) and microdata, in this order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from haenyeo.model.pages import Post, Product
from haenyeo.read.facts import Facts, name_of, text_in

MOST_REVIEWS = 1_000
"""Reviews of a product that are taken."""

_TYPES = ("Product", "IndividualProduct", "ProductModel", "ProductGroup")
_MOST_NESTED = 6


def product_of(facts: Facts, kind: str, title: str = "") -> Product | None:
    """What is told of the product that a page of this kind and `title` is about; None where nothing is.

    Where the page says a price for machines but no name, the product is called as the page.
    """
    if kind != "product":
        return None
    node = next(_products(facts.all.get("json-ld", [])), {})
    offer = next(_offers(node), {})
    graph, items = facts.all.get("opengraph", {}), facts.all.get("microdata", {})
    rating = _object(node.get("aggregateRating"))
    product = Product(
        name=text_in(node.get("name")),
        brand=name_of(node.get("brand")) or graph.get("product:brand", ""),
        sku=_said(node.get("sku")) or _said(node.get("gtin13")) or _said(node.get("mpn")) or items.get("sku", ""),
        price=_price(offer) or _first(graph, "product:price:amount", "og:price:amount") or items.get("price", ""),
        currency=_currency(offer)
        or _first(graph, "product:price:currency", "og:price:currency")
        or items.get("pricecurrency", ""),
        availability=_last_part(
            _said(offer.get("availability")) or _first(graph, "product:availability", "og:availability")
        ),
        rating=_said(rating.get("ratingValue")),
        ratings=_said(rating.get("ratingCount")) or _said(rating.get("reviewCount")),
        reviews=tuple(_reviews(node.get("review") or node.get("reviews"))),
    )
    if product == Product():
        return None
    return product if product.name else msgspec.structs.replace(product, name=title)


def _products(nodes: object, nested: int = 0) -> Iterator[dict[str, Any]]:
    """The products that nodes describe, those that describe themselves first, then those inside other nodes."""
    if nested > _MOST_NESTED:
        return
    inside = []
    for node in nodes if isinstance(nodes, list) else [nodes]:
        if isinstance(node, dict):
            kinds = node.get("@type")
            if any(kind in _TYPES for kind in (kinds if isinstance(kinds, list) else [kinds])):
                yield node
            inside += [node.get("mainEntity"), node.get("@graph"), node.get("itemOffered")]
    for nodes_inside in filter(None, inside):
        yield from _products(nodes_inside, nested + 1)


def _offers(product: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The offers of a product, or of its variants where it has none itself."""
    for holder in (product, *_list(product.get("hasVariant"))):
        if isinstance(holder, dict):
            yield from [offer for offer in _list(holder.get("offers")) if isinstance(offer, dict)]


def _price(offer: Mapping[str, Any]) -> str:
    """The price of an offer; the lowest where there are several."""
    specified = _object(offer.get("priceSpecification"))
    return _said(offer.get("price")) or _said(offer.get("lowPrice")) or _said(specified.get("price"))


def _currency(offer: Mapping[str, Any]) -> str:
    return _said(offer.get("priceCurrency")) or _said(_object(offer.get("priceSpecification")).get("priceCurrency"))


def _reviews(value: object) -> Iterator[Post]:
    """The reviews that have text."""
    for review in _list(value)[:MOST_REVIEWS]:
        if isinstance(review, dict) and (text := text_in(review.get("reviewBody") or review.get("description"))):
            day = text_in(review.get("datePublished"))[: len("2000-01-01")]
            yield Post(author=name_of(review.get("author")), published=day, text=text)


def _first(values: Mapping[str, str], *names: str) -> str:
    return next((values[name] for name in names if values.get(name)), "")


def _last_part(said: str) -> str:
    """`InStock` of `https://schema.org/InStock`."""
    return said.rstrip("/").rpartition("/")[2]


def _said(value: object) -> str:
    """A number or a word as text."""
    if isinstance(value, list):
        value = value[0] if value else ""
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else text_in(value)


def _object(value: object) -> dict[str, Any]:
    value = value[0] if isinstance(value, list) and value else value
    return value if isinstance(value, dict) else {}


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else [value]
