"""Shards whose disks are lost: they come back from what is elsewhere, and no link that was acknowledged is missing."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from processes import wait_until

from haenyeo.cluster.snapshots.manifests import ShardAddress
from haenyeo.cluster.standing import standing
from haenyeo.collect.collection import Collection
from haenyeo.store.shards.catalogue import Catalogue, shard_folder
from haenyeo.store.shards.opening import open_store

from .conftest import Crawling, ManySites
from .test_kills import KILLING

pytestmark = pytest.mark.slow

TAKING, MANIFESTS, JOURNAL = (f"haenyeo.cluster.snapshots.{name}" for name in ("taking", "manifests", "journal"))
STEPS = {
    "file finished, nothing copied": ("haenyeo.store.sqlite", "Store.pinned", "after"),
    "archive sent": (TAKING, "move", "after"),
    "database sent": (TAKING, "send", "after"),
    "manifest written, old ones left": (MANIFESTS, "ShardAddress._remove_old", "before"),
    "manifest published": (MANIFESTS, "ShardAddress.publish", "after"),
    "snapshot noted": (TAKING, "ShardSnapshots.copy", "after"),
    "links still there": (JOURNAL, "LinkJournal.forget", "before"),
    "links forgotten": (JOURNAL, "LinkJournal.forget", "after"),
    "links taken in": (JOURNAL, "LinkJournal.note", "before"),
    "links noted": (JOURNAL, "LinkJournal.note", "after"),
    "made anew, not claimed": ("haenyeo.cluster.snapshots.restoring", "_make", "after"),
}
OFTEN = """
    taking = importlib.import_module("haenyeo.cluster.snapshots.taking")
    taking.SHORTEST_PAUSE, taking.PAUSE = 0.2, 1
"""
LOSING = """
    import shutil
    def lose_all():
        shutil.rmtree(pathlib.Path(sys.orig_argv[-1]) / "shards" / f"{{shards[0]:04d}}")
    losing.append(lose_all)
"""


@pytest.fixture
def far(crawling: Crawling, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Another storage, to which all shards send their snapshots."""
    address = f"file://{tmp_path}/far"
    monkeypatch.setitem(crawling.environment, "HAENYEO_STORAGE__ARCHIVE", address)
    monkeypatch.setitem(crawling.environment, "HAENYEO_STORAGE__SNAPSHOTS", "true")
    return address


def addresses(folder: Path) -> list[str]:
    """The pages of all shards."""
    with open_store(folder, writing=False) as store:
        return [page.url for page in store.pages(kept_only=False)]


def lead(place: Path, target: Path) -> None:
    """Let a place be a link that leads there; nobody finds it missing meanwhile."""
    link = place.with_name("link")
    link.symlink_to(target)
    link.replace(place)


def test_no_disk_that_is_lost_between_two_steps_loses_or_doubles_a_page(
    crawling: Crawling, sites: ManySites, far: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    marks, code, folder = tmp_path / "marks", tmp_path / "code", tmp_path / "lost"
    marks.mkdir()
    code.mkdir()
    (code / "sitecustomize.py").write_text((KILLING + OFTEN + LOSING).format(steps=STEPS, marks=str(marks)), "utf-8")
    monkeypatch.setitem(crawling.environment, "PYTHONPATH", str(code))
    crawl = crawling("lost", "--shards", "2", delay=0.3)
    out, _ = crawl.communicate(timeout=280)
    assert crawl.returncode == 0, out
    assert json.loads(out)["why"] == "done"
    assert {path.name for path in marks.iterdir()} == {
        f"{name.replace(' ', '-')}{shard}" for name in STEPS for shard in (0, 1)
    }
    urls = addresses(folder)
    assert len(urls) == len(set(urls)) == sites.pages
    again = crawling("lost")
    assert json.loads(again.communicate(timeout=200)[0])["visited"] == 0
    with Catalogue(folder) as catalogue:
        division = catalogue.division
    for shard in (0, 1):
        left = ShardAddress(far, division, shard)
        assert left.names("links-") == []
        assert len(left.names("manifest-")) <= 2


@pytest.mark.usefixtures("far")
def test_all_disks_may_be_lost_and_the_archive_is_read_elsewhere(
    crawling: Crawling, sites: ManySites, tmp_path: Path
) -> None:
    folder = tmp_path / "gone"
    crawl = crawling("gone", "--shards", "2")
    assert json.loads(crawl.communicate(timeout=200)[0])["visited"] == sites.pages
    assert all(shard.copied_at and not shard.trouble for shard in standing(folder))
    asked = len(sites.asked)
    for number in (0, 1):
        assert not list((shard_folder(folder, number) / "archive").glob("*.warc.gz"))
        shutil.rmtree(shard_folder(folder, number))
    again = crawling("gone")
    assert json.loads(again.communicate(timeout=200)[0])["visited"] == 0
    assert len(sites.asked) == asked
    assert len(set(addresses(folder))) == sites.pages
    with Collection.open(folder, writing=False) as opened:
        page = next(iter(opened.pages()))
        assert page.title.encode() in opened.store.payload(opened.store.visits(page.url)[-1]).body


def test_a_collection_is_made_anew_on_another_machine(
    crawling: Crawling, sites: ManySites, far: str, tmp_path: Path
) -> None:
    told = crawling("first", "--shards", "2", "--pages", "60").communicate(timeout=200)[0]
    assert json.loads(told)["visited"] == 60
    before = sorted(addresses(tmp_path / "first"))
    shutil.rmtree(tmp_path / "first")
    call = [sys.executable, "-m", "haenyeo", "restore", "second", far, "--json"]
    made = subprocess.run(call, cwd=tmp_path, env=crawling.environment, check=True, capture_output=True, timeout=120)
    assert json.loads(made.stdout)["shards"] == 2
    assert sorted(addresses(tmp_path / "second")) == before
    assert json.loads(crawling("second").communicate(timeout=200)[0])["why"] == "done"
    urls = addresses(tmp_path / "second")
    assert len(urls) == len(set(urls)) == sites.pages
    other = crawling("third", "--shards", "2")
    other.communicate(timeout=200)
    assert other.returncode != 0, "an address is one collection's"
    assert len(set(addresses(tmp_path / "second"))) == sites.pages


def test_a_storage_that_refuses_is_told_and_holds_up_what_would_not_be_safe(
    crawling: Crawling, sites: ManySites, far: str, tmp_path: Path
) -> None:
    place, folder, storage = Path(far.removeprefix("file://")), tmp_path / "refused", tmp_path / "storage"
    in_the_way = tmp_path / "in the way"
    storage.mkdir()
    in_the_way.touch()
    lead(place, storage)
    crawl = crawling("refused", "--shards", "2", delay=0.5)
    wait_until(lambda: any(place.glob("shards-*/*/links-*")) or crawl.poll() is not None)
    lead(place, in_the_way)
    wait_until(lambda: any(shard.unsent for shard in standing(folder)) or crawl.poll() is not None)
    assert crawl.poll() is None
    lead(place, storage)
    out, _ = crawl.communicate(timeout=200)
    assert crawl.returncode == 0, out
    assert len(set(addresses(folder))) == sites.pages
    assert all(shard.copied_at and not shard.trouble for shard in standing(folder))
