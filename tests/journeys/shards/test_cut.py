"""Two shards that cannot reach each other: what is to be sent stays within a bound, they pause, nothing is lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from processes import wait_until

from haenyeo.cluster import standing as standings
from haenyeo.cluster.standing import standing

from .conftest import Crawling, ManySites

pytestmark = pytest.mark.slow
BOUND = 12
CUTTING = """
import importlib, pathlib, sys

if "haenyeo.cluster.nursery" in sys.orig_argv:
    ties, shard = (importlib.import_module(f"haenyeo.cluster.{{name}}") for name in ("ties", "shard"))
    shard.MOST_UNSENT, send = {bound}, ties.FolderTies.send

    async def cut(self, to, name, batch):
        return await send(self, to, name, batch) if pathlib.Path({mended!r}).exists() else False

    ties.FolderTies.send = cut
"""


def test_shards_that_cannot_reach_each_other_pause_and_go_on_when_they_can(
    crawling: Crawling, sites: ManySites, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, mended, code = tmp_path / "cut", tmp_path / "mended", tmp_path / "code"
    code.mkdir()
    (code / "sitecustomize.py").write_text(CUTTING.format(bound=BOUND, mended=str(mended)), encoding="utf-8")
    monkeypatch.setitem(crawling.environment, "PYTHONPATH", str(code))
    monkeypatch.setattr(standings, "MOST_UNSENT", BOUND)
    crawl = crawling("cut", "--shards", "2", delay=0.05)
    wait_until(lambda: (folder / "catalogue.db").exists() or crawl.poll() is not None)
    wait_until(lambda: any(shard.state == "held up" for shard in standing(folder)) or crawl.poll() is not None)
    held = [shard for shard in standing(folder) if shard.state == "held up"]
    assert held
    asked = len(sites.asked)
    assert asked < sites.pages
    for shard in standing(folder):
        assert shard.unsent <= 4 * BOUND  # those under way when the bound was reached come on top
    mended.touch()
    out, _ = crawl.communicate(timeout=200)
    assert crawl.returncode == 0, out
    assert json.loads(out)["visited"] == sites.pages
    assert [(shard.state, shard.unsent) for shard in standing(folder)] == [("ended", 0)] * 2
