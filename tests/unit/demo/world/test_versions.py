from __future__ import annotations

import pytest

from haenyeo.demo.clock import DAY, WEEK
from haenyeo.demo.world.site import SitePlace
from haenyeo.demo.world.versions import candidates, last_change, version, view
from haenyeo.demo.world.world import World


@pytest.mark.parametrize("kind", ["article", "product", "thread", "list", "table"])
def test_a_version_changes_only_at_its_times(world: World, kind: str) -> None:
    site, place = next(
        (site, place)
        for site in world.sites.values()
        for place in site.places(0)
        if place.kind == kind and candidates(site, place, 0, WEEK)
    )
    times = candidates(site, place, 0, WEEK)
    assert times == sorted(set(times))
    assert all(0 < at <= WEEK for at in times)
    assert version(site, place, 0) == version(site, place, times[0] - 1)
    assert last_change(site, place, times[0]) == times[0]
    assert last_change(site, place, times[0] - 1) <= 0


def test_versions_that_differ_say_something_else(world: World) -> None:
    site = next(site for site in world.sites.values() if site.spec.has("table"))
    place = SitePlace("table", "/today")
    today, tomorrow = (view(world, site, place, day * DAY) for day in (1, 2))
    assert version(site, place, DAY) != version(site, place, 2 * DAY)
    assert today.text != tomorrow.text
