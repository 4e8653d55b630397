"""A full disk costs nothing that was committed, and the store works on once there is room.

The limits are real: the kernel refuses to let a file grow, SQLite refuses to take another page.
"""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from haenyeo.model.errors import DiskFullError
from haenyeo.store import PageRecord, Store

Make = Callable[..., PageRecord]
LIMITED_WRITER = """
import resource
import sys
from datetime import UTC, datetime
from pathlib import Path
from haenyeo.model.errors import DiskFullError
from haenyeo.model.pages import Document, Url
from haenyeo.model.visits import Answer, Hop, Outcome
from haenyeo.store import PageRecord, Store

now = datetime(2025, 3, 1, tzinfo=UTC)
body, text, limit = bytes.fromhex(sys.argv[2]), sys.argv[3], int(sys.argv[4])

def save(store, number):
    url = Url(f"https://a.example/{number}")
    hop = Hop(url=url, status=200, body=body + str(number).encode(), at=now)
    answer = Answer(url=url, final_url=url, outcome=Outcome.PAGE, status=200, hops=(hop,))
    document = Document(url=url, text=f"{number} {text}")
    store.save(PageRecord(answer=answer, site="a.example", at=now, kept=True, document=document))

with Store.create(Path(sys.argv[1])) as store:
    save(store, 0)
    store.flush()
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    number = committed = 1
    try:
        while number < 10_000:
            save(store, number)
            number += 1
            if number % 20 == 0:
                store.flush()
                committed = number
    except DiskFullError as error:
        print(type(error).__name__, error)
    committed += store.pending
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    store.flush()
    assert store.counts().kept == committed, (store.counts().kept, committed)
    for number in range(committed, committed + 20):
        save(store, number)
print(committed)
"""


def incompressible(length: int) -> str:
    """Characters that stay nearly as long when packed."""
    return "".join(map(chr, random.Random(length).choices(range(0x3400, 0x9000), k=length)))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("page_length", "text_length", "refused"),
    [(6000, 10, ".warc.gz"), (10, 6000, "haenyeo.db")],
    ids=["archive", "database"],
)
def test_what_was_committed_outlives_a_file_that_cannot_grow(
    folder: Path, page_length: int, text_length: int, refused: str, kinds: Callable[[Path], list[str]]
) -> None:
    body = incompressible(page_length).encode().hex()
    command = [sys.executable, "-c", LIMITED_WRITER, str(folder), body, incompressible(text_length), str(1_000_000)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    told, committed = done.stdout.splitlines()[0], int(done.stdout.splitlines()[-1])
    assert told.startswith("DiskFullError no room to write")
    assert refused in told
    assert committed > 1
    with Store.open(folder, writing=True) as store:
        assert [page.url for page in store.pages()] == [f"https://a.example/{n}" for n in range(committed + 20)]
        for page in store.pages():
            assert store.response(store.visits(page.url)[0]).url == page.url
    [archive] = (folder / "archive").iterdir()
    assert kinds(archive).count("response") == committed + 20


def save_many(store: Store, make_record: Make) -> None:
    for number in range(1, 1000):
        store.save(make_record(number))


def test_a_database_that_takes_no_more_pages_is_full(store: Store, make_record: Make) -> None:
    store.save(make_record(0))
    store.flush()
    pages = store._connection.execute("PRAGMA page_count").fetchone()[0]
    store._connection.execute(f"PRAGMA max_page_count = {pages + 3}")
    with pytest.raises(DiskFullError, match="no room"):
        save_many(store, make_record)
    store._connection.execute("PRAGMA max_page_count = 1000000")
    before = store.counts().kept
    store.save(make_record(1000))
    store.flush()
    pages_left = list(store.pages())
    assert len(pages_left) == before + 1
    assert all(store.body(store.visits(page.url)[0]) for page in pages_left)
