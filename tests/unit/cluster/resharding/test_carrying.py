"""What parts have remembered goes where its site goes; what is for all goes to all, and old copies win over nothing."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest

from haenyeo.cluster.layout import make_shards
from haenyeo.cluster.resharding.reshard import reshard
from haenyeo.collect.adapters.finding.topics import JUDGED, Checkpoint
from haenyeo.collect.adapters.watching.saved_rules import SavedRule, Version
from haenyeo.model.pages import Url
from haenyeo.store import NewEvent, Store
from haenyeo.store.shards.catalogue import Catalogue, Owners, dealt_out, shard_folder
from haenyeo.store.shards.opening import open_store
from haenyeo.watch.rules.places.selector import Selector
from haenyeo.watch.rules.rule import Rule

SITES = [f"site{number}.example" for number in range(8)]


def rule(site: str, pages: int) -> bytes:
    """A rule of a site, told from others of its name by how long it is."""
    version = Version(
        rule=Rule(record=Selector(), fields={}), at=datetime.now(UTC), url=Url(f"http://{site}/"), why="made"
    )
    return SavedRule(name="goods", url=f"http://{site}/", lists=("x" * pages,), versions=(version,)).to_json()


def site_of_shard(shard: int, shards: int) -> str:
    owners = Owners(dealt_out(shards))
    return next(site for site in SITES if owners.of(site) == shard)


@pytest.fixture
def four(tmp_path: Path) -> Path:
    """A collection in four empty shards."""
    folder = tmp_path / "c"
    folder.mkdir()
    (folder / "haenyeo.toml").touch()
    make_shards(folder, 4)
    return folder


def put(folder: Path, shard: int, part: str, key: str, value: bytes) -> None:
    with Store.open(shard_folder(folder, shard), writing=True) as store:
        store.put_state(part, key, value)


def found(folder: Path, part: str, key: str) -> list[bytes | None]:
    """What each shard has remembered, or the collection in one piece."""
    shards = []
    if (folder / "catalogue.db").exists():
        with Catalogue(folder) as catalogue:
            shards = [shard_folder(folder, shard) for shard in range(catalogue.owners().shards)]
    stores = [Store.open(place, writing=False) for place in shards or [folder]]
    values = [store.state(part, key) for store in stores]
    for store in stores:
        store.close()
    return values


def test_a_rule_belongs_to_its_site_whatever_it_is_called(four: Path) -> None:
    site = site_of_shard(3, 4)
    put(four, 0, "rules", "goods", rule(site, 1))  # a copy that an earlier version of the program left behind
    put(four, 3, "rules", "goods", rule(site, 2))
    reshard(four, 2)
    reshard(four, 4)
    *others, last = found(four, "rules", "goods")
    assert others == [None] * 3
    assert last is not None
    assert b"xx" in last


def test_a_layout_belongs_to_its_site(four: Path) -> None:
    template = f"{site_of_shard(2, 4)}/a/p{{n}}.html"
    put(four, 2, "layouts", template, b"seen")
    reshard(four, 1)
    assert found(four, "layouts", template) == [b"seen"]
    reshard(four, 4)
    assert found(four, "layouts", template) == [None, None, b"seen", None]


def test_what_the_user_said_of_a_page_is_known_in_all_shards(four: Path) -> None:
    url = f"http://{site_of_shard(1, 4)}/reef"
    for shard in range(4):
        put(four, shard, JUDGED, url, b"good")
    reshard(four, 1)
    reshard(four, 3)
    assert found(four, JUDGED, url) == [b"good"] * 3


def test_pages_that_wait_to_be_settled_are_not_lost_to_those_of_other_shards(four: Path) -> None:
    for shard in range(4):
        site = site_of_shard(shard, 4)
        put(four, shard, "read-unsettled", "0", msgspec.msgpack.encode((site, (f"http://{site}/",))))
    reshard(four, 1)
    with open_store(four, writing=False) as store:
        sites = {msgspec.msgpack.decode(value)[0] for _, value in store.states("read-unsettled")}
    assert sites == {site_of_shard(shard, 4) for shard in range(4)}


def test_a_planners_memory_is_made_anew(four: Path) -> None:
    put(four, 0, "planner", "tide", b"of pages by numbers that are others now")
    reshard(four, 2)
    assert found(four, "planner", "tide") == [None, None]


def test_what_counts_pages_and_events_counts_on_from_those_that_are_there(four: Path) -> None:
    site = site_of_shard(0, 2)
    with Store.open(shard_folder(four, site_number(site)), writing=True) as store:
        store.add_event(NewEvent(kind="changed", url=Url(f"http://{site}/"), data=b"{}", at=datetime.now(UTC)))
        store.put_state("notify", "last", b"700")
        checkpoint = Checkpoint(strategy="learned", page=900, taught=[])
        store.put_state("find", "sea", msgspec.msgpack.encode(checkpoint))
    reshard(four, 2)
    assert found(four, "notify", "last")[0] == b"1"
    learnt = [msgspec.msgpack.decode(value or b"", type=Checkpoint) for value in found(four, "find", "sea")]
    assert [each.page for each in learnt] == [0, 0]


def site_number(site: str) -> int:
    """The shard of four that has a site."""
    return Owners(dealt_out(4)).of(site)
