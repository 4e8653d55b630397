from __future__ import annotations

import time
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner

from haenyeo.cli import search as command
from haenyeo.cli.app import haenyeo
from haenyeo.cli.beside import indexing as indexing_module
from haenyeo.cli.beside.indexing import IdleTime, index_rest, indexing
from haenyeo.collect.collection import create_collection
from haenyeo.model.config import Topic
from haenyeo.model.pages import Document, Url
from haenyeo.model.visits import Answer, Outcome
from haenyeo.store import PageRecord, Store
from haenyeo.store.search import SearchIndex

NOW = datetime(2026, 1, 5, tzinfo=UTC)
PATIENCE = 60.0  # seconds; a busy machine needs many


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A collection with two pages that nobody has indexed."""
    folder = tmp_path / "reefs"
    create_collection(folder, Topic(words="reefs", seeds=("https://a.example/",)))
    with Store.open(folder, writing=True) as store:
        for number in range(2):
            url = Url(f"https://a.example/{number}")
            answer = Answer(url=url, final_url=url, outcome=Outcome.PAGE, status=200)
            document = Document(url=url, title="Reef", text=f"coral number{number}")
            record = PageRecord(answer=answer, site="a.example", at=NOW, kept=True, document=document)
            store.save(record)
    return folder


def unindexed(folder: Path) -> int:
    with SearchIndex(folder) as index:
        return index.unindexed()


def test_a_process_that_waits_indexes_meanwhile(folder: Path) -> None:
    assert unindexed(folder) == 2
    end = time.monotonic() + PATIENCE
    with indexing(folder):
        while unindexed(folder):
            assert time.monotonic() < end
            time.sleep(0.05)


def test_what_is_not_wanted_is_not_indexed(folder: Path) -> None:
    with indexing(folder, wanted=False):
        pass
    assert unindexed(folder) == 2


def test_a_process_that_is_busy_is_not_idle() -> None:
    spent, now = iter([0.0, 0.9, 1.0]), iter([10.0, 11.0, 12.0])
    idle = IdleTime(lambda: next(spent), lambda: next(now))
    assert not idle.is_now(), "nine tenths of a second of work in a second"
    assert idle.is_now()


def test_after_a_short_crawl_the_rest_is_indexed(folder: Path) -> None:
    index_rest(folder)
    assert unindexed(folder) == 0


def test_after_a_long_crawl_the_rest_is_left_to_those_who_search(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexing_module, "WORTH_A_WORD", 2)
    index_rest(folder)
    assert unindexed(folder) == 2


def test_search_answers_at_once_and_says_what_is_missing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "FIRST_SECONDS", 0.0)
    result = CliRunner().invoke(haenyeo, ["search", str(folder), "coral"])
    assert "2 pages are not indexed yet" in result.output
    waited = CliRunner().invoke(haenyeo, ["search", str(folder), "coral", "--wait"])
    assert "2 pages," in waited.output
    assert "not indexed" not in waited.output
