"""A collection in a folder that cannot be written is read like any other, and loses nothing."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from sealing import bound_process, bound_run, sealed

from haenyeo.collect.collection import create_collection
from haenyeo.model.config import Topic

pytestmark = pytest.mark.slow

WRITER = """
import os, sys
from datetime import UTC, datetime
from pathlib import Path
from haenyeo.model.pages import Document, Url
from haenyeo.model.visits import Answer, Hop, Outcome
from haenyeo.store import PageRecord, Store

now = datetime(2025, 3, 1, tzinfo=UTC)
store = Store.open(Path(sys.argv[1]), writing=True)
for number in range(3):
    url = Url(f"https://a.example/{number}")
    hop = Hop(url=url, status=200, body=b"<p>coral</p>", at=now, headers=(("Content-Type", "text/html"),))
    answer = Answer(url=url, final_url=url, outcome=Outcome.PAGE, status=200, hops=(hop,), content_type="text/html")
    document = Document(url=url, title=f"Page {number}", text=f"coral number{number}")
    store.save(PageRecord(answer=answer, site="a.example", at=now, kept=True, document=document))
    store.flush()
os._exit(9) if sys.argv[2:] else store.close()
"""
LOOK = (
    "from haenyeo import Collection\n"
    "with Collection.open('reefs', writing=False) as reefs: print([page.title for page in reefs.pages()])"
)
TITLES = "['Page 0', 'Page 1', 'Page 2']"


def make(folder: Path, *, killed: bool) -> None:
    create_collection(folder, Topic(words="coral reefs", seeds=("https://a.example/",)))
    writer = [sys.executable, "-c", WRITER, str(folder), *(["killed"] if killed else [])]
    assert subprocess.run(writer, check=False).returncode == (9 if killed else 0)


@pytest.fixture
def reefs(tmp_path: Path) -> Iterator[Path]:
    make(tmp_path / "reefs", killed=False)
    with sealed(tmp_path / "reefs") as folder:
        yield folder


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["status", "reefs", "--json"], '"kept": 3'),
        (["search", "reefs", "number1"], "https://a.example/1"),
        (["export", "reefs", "--to", "jsonl", "--out", "-"], "coral number2"),
        (["export", "reefs", "--to", "wacz", "--out", "reefs.wacz"], "3 pages written"),
        (["why", "reefs", "https://a.example/1"], "a.example/1"),
        (["changes", "reefs", "--json"], "changes"),
        (["plan", "reefs"], ""),
    ],
    ids=lambda given: given[0] if isinstance(given, list) else "",
)
def test_commands_that_only_read_work(reefs: Path, arguments: list[str], words: str) -> None:
    before = sorted(path.name for path in reefs.iterdir())
    assert words in bound_run("-m", "haenyeo", *arguments, cwd=reefs.parent)
    assert sorted(path.name for path in reefs.iterdir()) == before


def test_a_second_search_finds_the_index_that_the_first_has_made(reefs: Path) -> None:
    for word in ("number1", "number2"):
        assert word[-1] in bound_run("-m", "haenyeo", "search", "reefs", word, cwd=reefs.parent)
    assert len(list((reefs.parent / "cache" / "haenyeo").glob("search-*.db"))) == 1


def test_an_index_that_is_whole_is_used_where_it_is(tmp_path: Path) -> None:
    make(tmp_path / "reefs", killed=False)
    bound_run("-m", "haenyeo", "search", "reefs", "coral", cwd=tmp_path)
    with sealed(tmp_path / "reefs"):
        assert "Page 1" in bound_run("-m", "haenyeo", "search", "reefs", "number1", cwd=tmp_path)
    assert not (tmp_path / "cache").exists()


def test_python_reads_it(reefs: Path) -> None:
    assert TITLES in bound_run("-c", LOOK, cwd=reefs.parent)


def test_writing_is_refused_with_what_to_do(reefs: Path) -> None:
    said = bound_run("-m", "haenyeo", "crawl", "reefs", cwd=reefs.parent, code=1)
    assert "cannot be written" in said
    assert "check the folder's rights" in said


def test_the_dashboard_shows_it(reefs: Path) -> None:
    server = bound_process("-m", "haenyeo", "serve", "reefs", "--port", "0", "--json", cwd=reefs.parent)
    try:
        assert server.stdout is not None
        told = json.loads("".join(iter(server.stdout.readline, "}\n")) + "}")
        opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        base = told["url"].partition("/?")[0]
        assert "reefs" in opener.open(told["url"]).read().decode()
        assert "Page 1" in opener.open(f"{base}/pages").read().decode()
    finally:
        server.terminate()
        server.communicate(timeout=60)


def test_what_a_killed_crawl_left_in_its_log_is_read(tmp_path: Path) -> None:
    make(tmp_path / "reefs", killed=True)
    assert (tmp_path / "reefs" / "haenyeo.db-wal").stat().st_size
    with sealed(tmp_path / "reefs"):
        assert TITLES in bound_run("-c", LOOK, cwd=tmp_path)


def test_a_log_that_cannot_be_read_is_not_passed_over(tmp_path: Path) -> None:
    make(tmp_path / "reefs", killed=True)
    (tmp_path / "reefs" / "haenyeo.db-shm").unlink()
    with sealed(tmp_path / "reefs"):
        said = bound_run("-m", "haenyeo", "status", "reefs", cwd=tmp_path, code=1)
    assert "haenyeo.db-wal has" in said
    assert "copy the whole folder" in said
