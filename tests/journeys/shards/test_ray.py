"""Shards as actors of a real Ray cluster on this machine: the same pages, each once, though an actor's process dies."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

import pytest
from processes import wait_until

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
