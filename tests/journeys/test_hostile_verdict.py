"""The judge of the hostile cases: it lets a good crawl pass and notices every broken promise."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hostile.crawl import Ended, Result
from hostile.server import Web
from hostile.stage import SECRET, Expected, Stage
from hostile.verdict import judge

FINE = Ended(exit_code=0, output="", seconds=1.0, cpu_seconds=1.0, memory_mb=80.0)


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    with Web() as web:
        setting = Stage(web, tmp_path)
        yield setting
        setting.close()


@pytest.fixture
def good(stage: Stage) -> Result:
    """What is left by a crawl that read both control pages and recorded why it did not read the hostile one."""
    collection = stage.folder / "collection"
    collection.mkdir()
    _export(stage, {"/control-1": "one", "/control-2": "two"})
    (stage.folder / "connects").write_text("127.0.0.2\n")
    with closing(sqlite3.connect(collection / "haenyeo.db")) as database:
        database.execute("CREATE TABLE page (url TEXT, outcome TEXT, reason TEXT)")
        database.execute("INSERT INTO page VALUES (?, 'failed', 'too large')", (stage.url("/x"),))
        database.commit()
    return Result(stage, FINE, FINE, collection)


def _export(stage: Stage, texts: dict[str, str]) -> None:
    lines = (json.dumps({"url": stage.url(path), "text": text}) for path, text in texts.items())
    (stage.folder / "pages.jsonl").write_text("\n".join(lines))


def test_a_good_crawl_passes(good: Result) -> None:
    judge(good, Expected(fails=("/x",), says={"/control-1": "one"}, unasked=("/x",), at_most={"/x": 0}, wire_mb=0))


@pytest.mark.parametrize(
    ("ended", "complaint"),
    [
        (replace(FINE, seconds=76.0, exit_code=-9), "was stopped after"),
        (replace(FINE, exit_code=1), "exit code 1"),
        (replace(FINE, output="Traceback (most recent call last):\n"), "Traceback"),
        (replace(FINE, memory_mb=601.0), "601 MB of memory"),
        (replace(FINE, cpu_seconds=6.0), "6.0 s of CPU"),
    ],
)
def test_a_bad_end_is_noticed(good: Result, ended: Ended, complaint: str) -> None:
    with pytest.raises(AssertionError, match=complaint):
        judge(replace(good, crawl=ended), Expected(cpu_seconds=5.0))


def test_a_connection_to_a_forbidden_address_is_noticed(good: Result) -> None:
    (good.stage.folder / "connects").write_text("127.0.0.2\n127.9.9.9\n")
    with pytest.raises(AssertionError, match=r"connected to \['127.9.9.9'\]"):
        judge(good, Expected())


def test_a_blind_watch_is_noticed(good: Result) -> None:
    (good.stage.folder / "connects").write_text("")
    with pytest.raises(AssertionError, match="saw no connection"):
        judge(good, Expected())


def test_a_secret_in_the_export_is_noticed(good: Result) -> None:
    _export(good.stage, {"/control-1": "one", "/control-2": SECRET})
    with pytest.raises(AssertionError, match="text was collected"):
        judge(good, Expected())


def test_a_file_beside_the_collection_is_noticed(good: Result) -> None:
    (good.stage.folder / "escaped.html").touch()
    with pytest.raises(AssertionError, match="files outside the collection"):
        judge(good, Expected())


@pytest.mark.parametrize(
    ("expected", "complaint"),
    [
        (Expected(read=("/y",)), "/y was not read"),
        (Expected(says={"/control-1": "three"}), "lacks 'three'"),
        (Expected(unread=("/control-1",)), "stored as a good page"),
        (Expected(fails=("/y",)), "no reason on record"),
    ],
)
def test_a_page_that_is_not_as_expected_is_noticed(good: Result, expected: Expected, complaint: str) -> None:
    with pytest.raises(AssertionError, match=complaint):
        judge(good, expected)


def test_a_lost_control_page_is_noticed(good: Result) -> None:
    _export(good.stage, {"/control-1": "one"})
    judge(good, Expected(controls=1))
    with pytest.raises(AssertionError, match="/control-2 was not read"):
        judge(replace(good), Expected())
