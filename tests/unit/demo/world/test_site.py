import pytest

from haenyeo.demo import DAY, WEEK
from haenyeo.demo.world.site import Gone, Redirect, Site, SitePlace
from haenyeo.demo.world.spec import site_specs

_SPECS = {spec.host: spec for spec in site_specs()}


@pytest.fixture(scope="module")
def news() -> Site:
    return Site(7, _SPECS["tidewatch"])


def test_the_items_announced_exist_at_zero(news: Site) -> None:
    assert news.count(0) == _SPECS["tidewatch"].items


def test_items_appear_at_the_announced_rate(news: Site) -> None:
    assert news.count(4 * WEEK) == _SPECS["tidewatch"].items + 4 * _SPECS["tidewatch"].per_week


def test_items_are_numbered_in_the_order_of_their_births(news: Site) -> None:
    news.count(3 * WEEK)
    births = [item.born for item in news.items]
    assert births == sorted(births)


def test_turning_the_clock_back_shows_the_same_shelf_again(news: Site) -> None:
    before = [item.number for item in news.shelf(0)]
    news.shelf(9 * WEEK)
    assert [item.number for item in news.shelf(0)] == before


@pytest.mark.parametrize("host", _SPECS)
def test_every_place_is_found_at_its_address(host: str) -> None:
    site = Site(7, _SPECS[host])
    for place in site.places(2 * WEEK):
        path, _, query = place.path.partition("?")
        assert site.find(path, dict(pair.split("=") for pair in query.split("&") if pair), 2 * WEEK) == place


def test_an_item_moves_and_leaves_a_redirect(news: Site) -> None:
    news.count(8 * WEEK)
    item = next(item for item in news.items if DAY < item.fate.moves < 8 * WEEK)
    assert news.find(item.path, {}, item.fate.moves - 1) == SitePlace("article", item.path, item)
    assert news.find(item.path, {}, item.fate.moves) == Redirect(301, item.moved_path)
    assert news.find(item.moved_path, {}, item.fate.moves) == SitePlace("article", item.moved_path, item)
    assert news.find(item.moved_path, {}, item.fate.moves - 1) is None


def test_an_item_that_died_is_gone_and_off_the_shelf(news: Site) -> None:
    news.count(8 * WEEK)
    item = next(item for item in news.items if DAY < item.fate.dies < 8 * WEEK)
    assert news.find(item.path, {}, item.fate.dies) == Gone(item)
    assert item in news.shelf(item.fate.dies - 1)
    assert item not in news.shelf(item.fate.dies)


def test_an_item_is_not_found_before_its_birth(news: Site) -> None:
    news.count(2 * WEEK)
    item = news.items[news.count(0) + 3]
    assert news.find(item.path, {}, item.born - 1) is None
    assert news.find(item.path, {}, item.born) == SitePlace("article", item.path, item)


def test_lists_end(news: Site) -> None:
    last = news.pages_of(0, "all")
    assert news.find(f"/all/page/{last}/", {}, 0) is not None
    assert news.find(f"/all/page/{last + 1}/", {}, 0) is None
    assert news.find("/all/page/0/", {}, 0) is None


def test_the_calendar_never_ends() -> None:
    site = Site(7, _SPECS["breadforum"])
    assert isinstance(site.find("/calendar/9876/12/", {}, 0), SitePlace)
    assert site.find("/calendar/2026/13/", {}, 0) is None
