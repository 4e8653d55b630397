from __future__ import annotations

import numpy as np

from haenyeo.refresh.tide.places import POOL, Atlas


def urls(folder: str, count: int, first: int = 0) -> list[str]:
    return [f"https://s.example/{folder}{number}" for number in range(first, first + count)]


def test_a_folder_with_many_pages_becomes_a_section() -> None:
    atlas = Atlas()
    places = atlas.settle([*urls("", 15), *urls("docs/", 30)], ["s"] * 45, 0)
    assert len(set(places[:15].tolist())) == 1
    assert len(set(places[15:].tolist())) == 1
    assert places[0] != places[20]
    assert atlas.parents[atlas.row_of[places[20]]] == atlas.row_of[places[0]]


def test_a_folder_that_holds_nearly_all_is_no_section() -> None:
    atlas = Atlas()
    places = atlas.settle(urls("docs/", 100), ["s"] * 100, 0)
    assert len(set(places.tolist())) == 1


def test_pages_move_into_a_section_that_was_founded_after_them() -> None:
    atlas = Atlas()
    early = atlas.settle([*urls("docs/", 5), *urls("", 50)], ["s"] * 55, 0)
    later = atlas.settle(urls("docs/", 30, first=5), ["s"] * 30, 1)
    assert early[0] != later[0]
    assert (atlas.moved(early[:5], urls("docs/", 5)) == later[0]).all()


def test_small_sites_share_a_row_once_there_are_many() -> None:
    atlas = Atlas()
    sites = [f"s{number}.example" for number in range(2000)]
    places = atlas.settle([f"https://{site}/" for site in sites], sites, 0)
    assert len(atlas.parents) < 300
    assert (atlas.row_of[places] == POOL).sum() > 1500


def test_a_site_remembers_when_it_was_met() -> None:
    atlas = Atlas()
    first = atlas.settle(["https://s.example/"], ["s"], 7)
    later = atlas.settle(["https://s.example/2"], ["s"], 100)
    assert np.array_equal(atlas.met(np.r_[first, later]), [7, 7])
    atlas.rebase(5)
    assert atlas.met(first)[0] == 2
