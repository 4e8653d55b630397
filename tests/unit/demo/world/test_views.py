from __future__ import annotations

import pytest

from haenyeo.demo.world.site import Site, SitePlace
from haenyeo.demo.world.views import SESSION, about_view, href, item_view, label_of, print_view, written_date
from haenyeo.demo.world.world import World


@pytest.mark.parametrize(("language", "written"), [("en", "5 January 2026"), ("ko", "2026년 1월 5일")])
def test_dates_are_written_as_the_language_does(language: str, written: str) -> None:
    assert written_date(language, 0) == written


def test_a_site_writes_its_own_addresses_in_its_own_way(world: World) -> None:
    def written(trait: str) -> str:
        site = next(site for site in world.sites.values() if site.spec.has(trait))
        return href(world, site, "/x?y=1").replace(site.spec.host, "HOST")

    assert written("session") == f"/x?y=1&PHPSESSID={SESSION}"
    assert written("absolute") == "http://HOST.localhost/x?y=1"


def place_of(site: Site, kind: str) -> SitePlace:
    return next(place for place in site.places(0) if place.kind == kind and place.item)


def test_an_article_has_everything_that_a_reader_needs(world: World) -> None:
    site = world.sites["tidewatch"]
    place = place_of(site, "article")
    assert place.item is not None
    view = item_view(world, site, place, 0)
    assert view.title == place.item.title
    assert view.byline is not None
    assert view.passages[0].text in view.text
    assert view.crumbs[0].words == site.spec.name


def test_a_print_version_has_the_text_and_the_way_back(world: World) -> None:
    site = next(site for site in world.sites.values() if site.spec.has("print"))
    place = place_of(site, "print")
    printed = print_view(world, site, place, 0)
    assert printed.text == item_view(world, site, place, 0).text
    assert (printed.comments, printed.elsewhere, printed.crumbs) == ((), (), ())
    assert len(printed.related) == 1


def test_a_site_tells_about_itself(world: World) -> None:
    for site in world.sites.values():
        view = about_view(world, site, SitePlace("about", "/about"), 0)
        assert site.spec.name in view.title
        assert label_of(site, "all") in ("All pages", "전체 글")
