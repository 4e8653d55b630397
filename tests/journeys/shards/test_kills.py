"""A shard that is killed between any two steps of handing links over loses none of them, and no page is doubled."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from haenyeo.collect.links.outbox import PART
from haenyeo.store import Store
from haenyeo.store.shards.catalogue import shard_folder
from haenyeo.store.shards.opening import open_store

from .conftest import Crawling, ManySites

pytestmark = pytest.mark.slow

STEPS = {
    "before sending": ("haenyeo.cluster.ties", "put_batch", "before"),
    "sent, not forgotten": ("haenyeo.collect.links.outbox", "Outbox.forget", "before"),
    "forgotten, not committed": ("haenyeo.collect.links.outbox", "Outbox.forget", "after"),
    "received, not committed": ("haenyeo.collect.links.queue", "CrawlQueue.receive", "after"),
    "committed, still in the inbox": ("haenyeo.cluster.ties", "FolderTies.settle", "before"),
    "taken in": ("haenyeo.cluster.ties", "FolderTies.settle", "after"),
    "before reporting": ("haenyeo.cluster.ties", "FolderTies.report", "before"),
}
KILLING = """
import functools, importlib, os, pathlib, signal, sys
steps, marks, shards, losing = {steps!r}, pathlib.Path({marks!r}), [], []

def kill_once(name):
    mark = marks / f"{{name.replace(' ', '-')}}{{shards[0]}}"
    if not mark.exists():
        mark.touch()
        for lose in losing:
            lose()
        os.kill(os.getpid(), signal.SIGKILL)

def deadly(function, name, when):
    @functools.wraps(function)
    def call(*arguments, **named):
        if when == "before":
            kill_once(name)
        result = function(*arguments, **named)
        if when == "after":
            kill_once(name)
        return result
    return call

def numbered(main):
    def call(folder, number):
        shards.append(number)
        main(folder, number)
    return call

if "haenyeo.cluster.nursery" in sys.orig_argv:
    process = importlib.import_module("haenyeo.cluster.shard_process")
    process.main = numbered(process.main)
    for name, (module, place, when) in steps.items():
        owner = importlib.import_module(module)
        *parents, last = place.split(".")
        for parent in parents:
            owner = getattr(owner, parent)
        setattr(owner, last, deadly(getattr(owner, last), name, when))
"""


def test_no_kill_between_two_steps_loses_or_doubles_a_page(
    crawling: Crawling, sites: ManySites, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    marks, code = tmp_path / "marks", tmp_path / "code"
    marks.mkdir()
    code.mkdir()
    (code / "sitecustomize.py").write_text(KILLING.format(steps=STEPS, marks=str(marks)), encoding="utf-8")
    monkeypatch.setitem(crawling.environment, "PYTHONPATH", str(code))
    crawl = crawling("killed", "--shards", "2")
    out, _ = crawl.communicate(timeout=280)
    assert crawl.returncode == 0, out
    assert json.loads(out)["why"] == "done"
    killed = {path.name for path in marks.iterdir()}
    assert killed == {f"{name.replace(' ', '-')}{shard}" for name in STEPS for shard in (0, 1)}
    folder = tmp_path / "killed"
    with open_store(folder, writing=False) as store:
        urls = [page.url for page in store.pages(kept_only=False)]
    assert len(urls) == len(set(urls)) == sites.pages
    for shard in (0, 1):
        with Store.open(shard_folder(folder, shard), writing=False) as store:
            assert store.state_count(PART) == 0
