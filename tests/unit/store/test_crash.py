"""Killed at any moment, a store loses nothing that was committed and doubles nothing.

The first tests kill a process before each single call that reaches the disk or the database, one after another, so no
moment between two such calls is left out. The last kills a busy process at random moments.
"""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from haenyeo.html.urls import url_hash
from haenyeo.store import PageRecord, Store

Make = Callable[..., PageRecord]
Kinds = Callable[[Path], list[str]]
DATABASE_CALLS = frozenset({"connect", "execute", "executescript"})
FILE_CALLS = frozenset({"open", "flock", "pwrite", "ftruncate", "truncate", "fsync", "unlink", "mkdir", "close"})
REACHING_OUT = DATABASE_CALLS | FILE_CALLS
BUSY_WRITER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from haenyeo.model.pages import Document, Url
from haenyeo.model.visits import Answer, Hop, Outcome
from haenyeo.html.urls import url_hash
from haenyeo.store import NewLink, PageRecord, Store

now = datetime(2025, 3, 1, tzinfo=UTC)
with Store.open(Path(sys.argv[1]), writing=True) as store:
    number = store.counts().asked
    while True:
        url = Url(f"https://a.example/{number}")
        body = f"<p>page {number}</p>".encode() * 500
        hop = Hop(url=url, status=200, body=body, at=now)
        link = NewLink(Url(f"https://a.example/{number + 1}"), "a.example", 0.5)
        store.save(PageRecord(
            answer=Answer(url=url, final_url=url, outcome=Outcome.PAGE, status=200, hops=(hop,)),
            site="a.example", at=now, kept=True, links=[link], targets=[url_hash(link.url)],
            document=Document(url=url, text=f"text {number}"),
        ))
        number += 1
        if number % 7 == 0:
            store.flush()
            print(number, flush=True)
"""


def killed_before(count: int, work: Callable[[], object]) -> bool:
    """Run `work` in a process that is killed before its `count`th call that reaches out; False if it ended before."""
    child = os.fork()
    if child == 0:
        left = count

        def watch(_frame: FrameType, event: str, called: Any) -> None:
            nonlocal left
            if event == "c_call" and called.__name__ in REACHING_OUT:
                left -= 1
                if left == 0:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.setprofile(watch)
        work()
        sys.setprofile(None)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) or os.waitstatus_to_exitcode(status) == 0
    return os.WIFSIGNALED(status)


def assert_sound(folder: Path, kinds: Kinds) -> int:
    """Check all of a collection whose pages are 0, 1, 2, ...; returns how many it has."""
    with Store.open(folder, writing=True) as store:
        pages = list(store.pages(kept_only=False))
        assert [page.url for page in pages] == [f"https://a.example/{number}" for number in range(len(pages))]
        for page in pages:
            [visit] = store.visits(page.url)
            assert store.response(visit).url == page.url
        found = [ref for batch in store.link_batches() for ref in batch.refs.tolist()]
        assert store.counts().found == len(store.links(found)) == len(found)
    responses = [kind for path in (folder / "archive").glob("*") for kind in kinds(path) if kind == "response"]
    assert len(responses) == len(pages)
    with closing(sqlite3.connect(folder / "haenyeo.db")) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
    return len(pages)


@pytest.mark.slow
def test_killed_while_it_is_made_a_collection_can_be_made_again(tmp_path: Path, kinds: Kinds) -> None:
    def make() -> None:
        Store.create(tmp_path / str(count)).close()

    count = 1
    while killed_before(count, make):
        make()
        assert assert_sound(tmp_path / str(count), kinds) == 0
        count += 1
    assert count > 10


@pytest.mark.slow
def test_killed_before_any_call_of_a_run_nothing_committed_is_lost(
    tmp_path: Path, make_record: Make, kinds: Kinds
) -> None:
    told = tmp_path / "told"

    def crawl() -> None:
        with Store.create(tmp_path / str(count)) as store:
            for number in range(3):
                store.save(make_record(number))
                if number != 1:
                    store.flush()
                    told.write_text(str(number + 1))

    count = 1
    told.write_text("0")
    while killed_before(count, crawl):
        if (tmp_path / str(count) / "haenyeo.db").exists():
            assert int(told.read_text()) <= assert_sound(tmp_path / str(count), kinds) <= 3
        told.write_text("0")
        count += 1
    assert count > 30


@pytest.mark.slow
def test_killed_while_it_is_mended_a_collection_can_be_mended_again(
    folder: Path, make_record: Make, kinds: Kinds
) -> None:
    def tear() -> None:
        with Store.open(folder, writing=True) as store:
            store.save(make_record(2))
            os.kill(os.getpid(), signal.SIGKILL)

    with Store.create(folder) as store:
        store.save(make_record(0))
        store.save(make_record(1))
    count = 1
    killed_before(0, tear)
    while killed_before(count, lambda: Store.open(folder, writing=True).close()):
        killed_before(0, tear)
        count += 1
    assert count > 10
    assert assert_sound(folder, kinds) == 2


@pytest.mark.slow
def test_a_reader_sees_what_was_committed_after_a_kill(folder: Path, make_record: Make) -> None:
    def tear() -> None:
        store = Store.create(folder)
        store.save(make_record(0))
        store.flush()
        store.save(make_record(1))
        os.kill(os.getpid(), signal.SIGKILL)

    killed_before(0, tear)
    with Store.open(folder, writing=False) as reader:
        assert [page.title for page in reader.pages()] == ["Page 0"]


@pytest.mark.slow
def test_killed_at_random_moments_a_busy_writer_goes_on_where_it_was(folder: Path, kinds: Kinds) -> None:
    Store.create(folder).close()
    moments = random.Random(1)
    committed = 0
    for _ in range(4):
        with subprocess.Popen([sys.executable, "-c", BUSY_WRITER, str(folder)], stdout=subprocess.PIPE) as writer:
            assert writer.stdout is not None
            lines = [writer.stdout.readline()]
            time.sleep(moments.uniform(0, 0.1))
            writer.kill()
            lines += writer.stdout.readlines()
        told = int([line for line in lines if line.endswith(b"\n")][-1])
        stored = assert_sound(folder, kinds)
        assert stored >= told > committed
        committed = stored
    with Store.open(folder, writing=False) as store:
        assert store.waiting_count() == 1
        [batch] = [batch for batch in store.waiting() if len(batch)]
        assert batch.hashes.tolist() == [url_hash(f"https://a.example/{committed}")]
