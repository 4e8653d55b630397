from __future__ import annotations

from haenyeo.demo.chance import Chance
from haenyeo.demo.world.world import World


def test_links_between_sites_leave_the_site(world: World) -> None:
    site = world.sites["tidewatch"]
    links = world.elsewhere(site.items[0], 60, Chance(1))
    assert len(links) == 60
    assert all(not link.href.startswith(world.origin("tidewatch") + "/") for link in links)
    assert any("/missing/" in link.href for link in world.elsewhere(site.items[0], 300, Chance(1)))


def test_a_hub_lists_different_things(world: World) -> None:
    hub = next(item for site in world.sites.values() for item in site.items if item.kind == "hub")
    listed = world.collection(hub, 14)
    assert len({item.title for item, _ in listed}) == 14
    assert listed == world.collection(hub, 14)


def test_advertisements_change_by_the_hour(world: World) -> None:
    offers = [world.advertisements("tidewatch", hour) for hour in range(6)]
    assert all(len(each) == 3 for each in offers)
    assert offers[0] == world.advertisements("tidewatch", 0)
    assert any(each != offers[0] for each in offers)


def test_link_farms_are_not_recommended(world: World) -> None:
    farms = {site.spec.name for site in world.sites.values() if site.spec.kind == "farm"}
    assert farms
    assert not farms & {link.words for link in world.fronts()}


def test_addresses_carry_the_port_once_there_is_one() -> None:
    assert World(7).origin("a") == "http://a.localhost"
    assert World(7, 8000).origin("a") == "http://a.localhost:8000"
