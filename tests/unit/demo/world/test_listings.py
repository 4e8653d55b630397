from __future__ import annotations

import pytest

from haenyeo.demo.world.content import rating
from haenyeo.demo.world.listings import list_view, record, search_view, shown
from haenyeo.demo.world.site import PER_LIST, Site, SitePlace
from haenyeo.demo.world.world import World


@pytest.fixture
def shop(world: World) -> Site:
    return world.sites["harbourshop"]


def listed(topic: str = "all", page: int = 1, facets: tuple[str, str] = ("", "")) -> SitePlace:
    return SitePlace("list", "/goods", topic=topic, page=page, facets=facets)


def test_pages_of_a_list_follow_each_other(shop: Site) -> None:
    first, second = shown(shop, listed(), 0), shown(shop, listed(page=2), 0)
    assert len(first) == PER_LIST
    assert not {item.number for item in first} & {item.number for item in second}
    assert [*first, *second] == shop.shelf(0)[: 2 * PER_LIST]


def test_facets_choose_and_sort(shop: Site) -> None:
    good = shown(shop, listed(facets=("rating", "4")), 0)
    stars = [float(rating(item)) for item in good]
    assert min(stars) >= 4
    assert stars == sorted(stars, reverse=True)
    named = [item.title for item in shown(shop, listed(facets=("name", "")), 0)]
    assert named == sorted(named)


def test_a_product_is_listed_with_price_and_picture(world: World, shop: Site) -> None:
    row = record(world, shop, shop.shelf(0)[0], 0)
    assert {"title", "link", "price", "image", "rating", "date"} == row.keys()


def test_a_list_leads_to_its_other_pages(world: World, shop: Site) -> None:
    view = list_view(world, shop, listed(page=2), 0)
    assert view.title.endswith("(2)")
    assert "1" in [link.words for link in view.pager]
    assert "2" not in [link.words for link in view.pager]
    assert "▲ price" in [link.words for link in view.pager]


def test_a_search_without_a_hit_says_so(world: World) -> None:
    site = next(site for site in world.sites.values() if site.spec.has("search") and site.spec.language == "en")
    nothing = search_view(world, site, SitePlace("search", "/search", query="xyzzy"), 0)
    assert [passage.text for passage in nothing.passages] == ["Nothing was found."]
    word = site.shelf(0)[0].title.split()[0]
    found = search_view(world, site, SitePlace("search", "/search", query=word.upper()), 0)
    assert found.records
    assert found.passages == ()
