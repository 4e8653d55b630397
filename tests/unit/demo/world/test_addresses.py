from __future__ import annotations

from urllib.parse import parse_qsl, urlsplit

import pytest

from haenyeo.demo.world.addresses import EVERYTHING
from haenyeo.demo.world.world import World


def test_every_list_is_found_at_its_address(world: World) -> None:
    for site in world.sites.values():
        for topic in (EVERYTHING, *site.spec.topics):
            for page in (1, 2, 37):
                parts = urlsplit(site.addresses.listing(topic, page))
                assert site.addresses.read_listing(parts.path, dict(parse_qsl(parts.query))) == (topic, page)


@pytest.mark.parametrize(
    ("path", "query"),
    [("/nothing/", {}), ("/", {}), ("/goods", {"cat": "nothing"}), ("/board/list.php", {})],
)
def test_other_addresses_are_no_lists(world: World, path: str, query: dict[str, str]) -> None:
    assert all(site.addresses.read_listing(path, query) is None for site in world.sites.values())


@pytest.mark.parametrize("page", ["0", "-1", "x", "10000", ""])
def test_a_page_that_is_no_number_is_no_list(world: World, page: str) -> None:
    shop = next(site for site in world.sites.values() if site.spec.addresses == "shop")
    assert shop.addresses.read_listing("/goods", {"cat": EVERYTHING, "page": page}) is None


def test_no_two_items_of_a_site_share_an_address(world: World) -> None:
    for site in world.sites.values():
        paths = [item.path for item in site.items] + [item.moved_path for item in site.items]
        assert len(paths) == len(set(paths))
