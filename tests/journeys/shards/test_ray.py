"""Shards as actors of a real Ray cluster on this machine: the same pages, each once, though an actor's process dies."""

from __future__ import annotations

import json
import os
import shutil
import signal
from pathlib import Path

import pytest
from processes import wait_until

from haenyeo.cluster.snapshots.restoring import is_as_brought
from haenyeo.store.lock import writer_of
from haenyeo.store.shards.catalogue import shard_folder
from haenyeo.store.shards.opening import open_store

from .conftest import Crawling, ManySites

pytestmark = pytest.mark.slow


def test_ray_brings_a_killed_shard_back_and_the_crawl_ends_complete(
    crawling: Crawling, sites: ManySites, tmp_path: Path
) -> None:
    folder = tmp_path / "ray"
    crawl = crawling("ray", "--shards", "2", "--ray", "local", delay=0.05)
    shard = shard_folder(folder, 1)
    wait_until(lambda: (len(sites.asked) > 20 and writer_of(shard) is not None) or crawl.poll() is not None)
    process = writer_of(shard)
    assert process is not None
    os.kill(process, signal.SIGKILL)
    out, _ = crawl.communicate(timeout=200)
    assert crawl.returncode == 0, out
    assert json.loads(out)["why"] == "done"
    with open_store(folder, writing=False) as store:
        urls = [page.url for page in store.pages(kept_only=False)]
    assert len(urls) == len(set(urls)) == sites.pages


def test_a_shard_on_a_disk_that_is_lost_is_made_anew_and_all_are_brought_home(
    crawling: Crawling, sites: ManySites, tmp_path: Path
) -> None:
    folder, disk = tmp_path / "home", tmp_path / "disk"
    crawling("home", "--pages", "1", "--shards", "2").communicate(timeout=200)
    settings = folder / "haenyeo.toml"
    wish = f'[storage]\narchive = "file://{tmp_path}/far"\nsnapshots = true\ndisk = "{disk}"\n'
    settings.write_text(settings.read_text("utf-8").replace("[storage]\n", wish), "utf-8")
    crawl = crawling("home", "--ray", "local", delay=0.05)

    def at_work() -> Path | None:
        shards = [path for path in disk.glob("*/shards/0001") if writer_of(path) is not None]
        return shards[0] if shards and len(sites.asked) > 40 else None

    wait_until(lambda: at_work() is not None or crawl.poll() is not None)
    shard = at_work()
    assert shard is not None
    process = writer_of(shard)
    assert process is not None
    os.kill(process, signal.SIGKILL)
    shutil.rmtree(shard)
    out, _ = crawl.communicate(timeout=200)
    assert crawl.returncode == 0, out
    with open_store(folder, writing=False) as store:
        urls = [page.url for page in store.pages(kept_only=False)]
    assert len(urls) == len(set(urls)) == sites.pages
    assert all(is_as_brought(shard_folder(folder, number)) for number in (0, 1))
