from __future__ import annotations

import pytest
from selectolax.lexbor import LexborHTMLParser

from haenyeo.demo.pages.document import render
from haenyeo.demo.pages.dress import make_dress
from haenyeo.demo.pages.shell import make_shell
from haenyeo.demo.world.content import Passage
from haenyeo.demo.world.site import SitePlace
from haenyeo.demo.world.versions import view
from haenyeo.demo.world.views import View
from haenyeo.demo.world.world import World


@pytest.fixture(scope="module")
def world() -> World:
    return World(7)


def page(world: World, host: str, shown: View) -> LexborHTMLParser:
    site = world.sites[host]
    dress = make_dress(7, site.spec, 0)
    return LexborHTMLParser(render(world, site, shown, dress, make_shell(world, site, dress, 0)))


def test_every_kind_of_block_is_written(world: World) -> None:
    passages = (
        Passage("lead", "First < last."),
        Passage("h2", "A heading"),
        Passage("quote", "A saying"),
        Passage("code", "a && b"),
        Passage("list", "one\ntwo"),
        Passage("table", "name\tvalue"),
    )
    tree = page(world, "tidewatch", View(place=SitePlace("about", "/about"), title="Odds & ends", passages=passages))
    assert [node.text() for node in tree.css("li") if node.text() in ("one", "two")] == ["one", "two"]
    assert [node.text() for node in tree.css("tr th, tr td")] == ["name", "value"]
    for selector, text in (("blockquote", "A saying"), ("pre code", "a && b"), ("b", "First < last.")):
        assert text in [node.text() for node in tree.css(selector)]
    title = tree.css_first("title")
    assert title is not None
    assert title.text().startswith("Odds & ends | ")


def test_records_of_a_list_come_in_order(world: World) -> None:
    site = world.sites["harbourshop"]
    place = next(place for place in site.places(0) if place.kind == "list")
    shown = view(world, site, place, 0)
    tree = page(world, "harbourshop", shown)
    links = [node.attributes.get("href") for node in tree.css("a")]
    wanted = [record["link"] for record in shown.records]
    assert [link for link in links if link in wanted][: len(wanted)] == wanted


def test_a_print_version_stands_without_the_shell(world: World) -> None:
    host, site = next((host, site) for host, site in world.sites.items() if site.spec.has("print"))
    place = next(place for place in site.places(0) if place.kind == "print")
    tree = page(world, host, view(world, site, place, 0))
    assert tree.css("nav, form, footer") == []
    robots = tree.css_first("meta[name=robots]")
    assert robots is not None
    assert robots.attributes["content"] == "noindex,follow"
