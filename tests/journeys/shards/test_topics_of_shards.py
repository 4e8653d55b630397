"""Every shard judges by the user's examples, whichever of them has the sites they are on."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from bench.made_web import address

from haenyeo.collect.adapters.finding.topics import LEARNT, PART, Checkpoint
from haenyeo.find.learned.state import from_bytes
from haenyeo.html.urls import site_of, url_hash
from haenyeo.model.pages import Url
from haenyeo.store import Store
from haenyeo.store.shards.catalogue import Catalogue, shard_folder

from .conftest import ENVIRONMENT, Crawling, ManySites

pytestmark = pytest.mark.slow


def test_examples_are_fetched_once_and_teach_all_shards(crawling: Crawling, sites: ManySites, tmp_path: Path) -> None:
    likes, folder = [address(5, 0), address(10, 0)], tmp_path / "liked"
    given = [f"--like={url}" for url in likes]
    made = [sys.executable, "-m", "haenyeo", "new", str(folder), "--topic", "diving, reef and coral", "-q", *given]
    subprocess.run(made, check=True, env=ENVIRONMENT, timeout=120)
    crawl = crawling("liked", "--shards", "3", "--pages", "60", "--strategy", "default")
    crawl.communicate(timeout=200)
    assert crawl.returncode == 0
    assert [sites.asked.count(url) for url in likes] == [1, 1]
    with Catalogue(folder) as catalogue:
        assert len({catalogue.owners().of(site_of(Url(url))) for url in likes}) < 3
    for shard in range(3):
        with Store.open(shard_folder(folder, shard), writing=False) as store:
            [(_, learnt)] = store.states(PART)
            taught = msgspec.msgpack.decode(learnt, type=Checkpoint).taught
            assert set(taught) == {url_hash(url) & ((1 << 63) - 1) for url in likes}


def test_every_shard_learns_from_the_first_pages_of_all(crawling: Crawling, sites: ManySites, tmp_path: Path) -> None:
    crawl = crawling("first", "--shards", "2", "--pages", "60", "--strategy", "default")
    crawl.communicate(timeout=200)
    assert crawl.returncode == 0
    fetched = {url_hash(Url(url)) & ((1 << 63) - 1) for url in sites.asked}
    for shard in range(2):
        with Store.open(shard_folder(tmp_path / "first", shard), writing=False) as store:
            [(_, learnt)] = store.states(LEARNT)
            own = {url_hash(page.url) & ((1 << 63) - 1) for page in store.pages(kept_only=False)}
        heard = set(from_bytes(learnt)["heard.refs"].tolist())
        assert heard <= fetched - own
        assert len(heard) > len(fetched - own) // 2  # the last ones may come too late


def test_a_verdict_reaches_all_shards_with_the_next_crawl(crawling: Crawling, tmp_path: Path) -> None:
    folder, disliked = tmp_path / "judged", address(8, 0)
    crawl = crawling("judged", "--shards", "2", "--pages", "30", "--strategy", "default")
    crawl.communicate(timeout=200)
    call = [sys.executable, "-m", "haenyeo", "judge", str(folder), disliked, "no", "--json"]
    told = subprocess.run(call, check=True, env=ENVIRONMENT, capture_output=True, timeout=120)
    assert json.loads(told.stdout)["taken_up"]
    crawl = crawling("judged", "--pages", "10", "--strategy", "default")
    crawl.communicate(timeout=200)
    assert crawl.returncode == 0
    for shard in range(2):
        with Store.open(shard_folder(folder, shard), writing=False) as store:
            [(_, learnt)] = store.states(PART)
            known = msgspec.msgpack.decode(learnt, type=Checkpoint)
            assert known.disliked == [url_hash(disliked) & ((1 << 63) - 1)]
