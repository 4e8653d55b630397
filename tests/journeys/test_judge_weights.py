"""The command that learns how much each kind of evidence counts works on collections as they are."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from haenyeo.collect.collection import Collection, Overrides, create_collection
from haenyeo.demo import Address, DemoWeb
from haenyeo.model.config import FetchSettings, Topic

pytestmark = pytest.mark.slow
BENCH = Path(__file__).parents[2] / "bench" / "judge_weights.py"


def test_each_web_is_judged_by_weights_learnt_on_the_others(web: tuple[DemoWeb, Address], tmp_path: Path) -> None:
    topics = web[0].topics()[:2]
    for topic in topics:
        folder = tmp_path / topic.name / "topic"
        settings = Topic(words=topic.words, seeds=topic.seeds, like=topic.like)
        create_collection(folder / "collection", settings, fetch=FetchSettings(allow_private=("127.0.0.0/8",)))
        with Collection.open(folder / "collection") as collection:
            for _ in collection.crawl(pages=60, overrides=Overrides(delay=0.0)):
                pass
        (folder / "relevant.txt").write_text("\n".join(topic.relevant), encoding="utf-8")
        (folder / "uncounted.txt").write_text("\n".join([*topic.like, *topic.seeds]), encoding="utf-8")

    told = subprocess.run([sys.executable, BENCH, tmp_path], capture_output=True, text=True, timeout=240, check=False)

    assert told.returncode == 0, told.stderr
    *rows, last = told.stdout.splitlines()
    assert [row.split()[0] for row in rows] == sorted(topic.name for topic in topics)
    assert re.fullmatch(r"expected calibration error 0\.\d{3}", last)
