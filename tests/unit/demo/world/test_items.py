from __future__ import annotations

import pytest

from haenyeo.demo.clock import WEEK
from haenyeo.demo.world.items import Item
from haenyeo.demo.world.world import World


def items(world: World, kind: str) -> list[Item]:
    return [item for site in world.sites.values() for item in site.items if item.kind == kind]


def test_an_item_follows_from_its_seed_and_number_alone(world: World) -> None:
    item = items(world, "article")[3]
    same = Item(item.key[0], item.spec, item.words, item.number, item.born)
    other = Item(item.key[0] + 1, item.spec, item.words, item.number, item.born)
    assert (same.title, same.summary, same.author, same.fate) == (item.title, item.summary, item.author, item.fate)
    assert (same.edits.count(WEEK), same.replies.count(WEEK)) == (item.edits.count(WEEK), item.replies.count(WEEK))
    assert other.summary != item.summary


def test_an_item_is_there_between_its_birth_and_its_death(world: World) -> None:
    item = next(item for item in items(world, "article") if 0 < item.fate.dies < 9 * WEEK)
    assert not item.alive(item.born - 1)
    assert item.alive(item.born)
    assert not item.alive(item.fate.dies)


def test_an_item_that_moves_has_two_addresses(world: World) -> None:
    item = next(item for item in items(world, "article") if 0 < item.fate.moves < 9 * WEEK)
    assert item.path_at(item.fate.moves - 1) == item.path
    assert item.path_at(item.fate.moves) == item.moved_path != item.path


@pytest.mark.parametrize("kind", ["hub", "ad"])
def test_hubs_and_advertisements_stay_for_ever(world: World, kind: str) -> None:
    assert all(item.fate.dies == item.fate.moves == float("inf") for item in items(world, kind))


def test_only_latin_titles_stand_in_addresses(world: World) -> None:
    for item in items(world, "article"):
        assert item.slug.isascii()
        assert bool(item.slug) == item.title.isascii()
