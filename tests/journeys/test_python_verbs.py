"""Every verb of the command line as a method of a collection, in a script and where an event loop runs already."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

import haenyeo
from haenyeo.collect.collection import create_collection
from haenyeo.demo import Address, DemoWeb
from haenyeo.model.config import FetchSettings
from haenyeo.model.errors import NotThereError

pytestmark = pytest.mark.slow
Web = tuple[DemoWeb, Address]
AT_ONCE = haenyeo.Overrides(delay=0.0, scorer="bfs")

USER_SCRIPT = """
from datetime import datetime, timedelta
import haenyeo

def harvest(folder: str) -> list[str]:
    with haenyeo.Collection.open(folder) as corals:
        corals.add(["https://example.org/"])
        for page in corals.crawl(pages=5):
            print(page.relevance, page.url)
        first: str = corals.search("reef", limit=3).hits[0].url
        kept: bool = corals.judge(first, relevant=True).relevant
        changes = corals.changes(since=datetime.now() - timedelta(days=1))
        visited: int = corals.refresh().visited
        kept_pages: int = corals.status().counts.kept
        share: float = corals.plan(per_day=10).per_day
        rows: list[dict[str, str]] = [row for rule in corals.rules() for row in corals.records(rule)]
        watched: list[str] = [page.url for page in corals.watch(["https://example.org/news"])]
        taken_in: int = corals.import_(["old.warc.gz"]).pages
        written: str = corals.export("chunks", "corals.parquet", since=datetime.now(), chunk_tokens=400).out
        print(kept_pages, share, rows, watched, taken_in, written)
        return [corals.page(first).title, corals.why(first).state, str(len(changes)), str(visited), str(kept)]

async def later(folder: str) -> int:
    async with haenyeo.Collection.open(folder) as corals:
        async for page in corals.crawl(pages=5):
            print(page.title)
        await corals.watch_async(["https://example.org/news"])
        await corals.import_async(["old.warc.gz"])
        return (await corals.refresh_async()).visited
"""


@pytest.fixture(scope="module")
def folder(web: Web, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("verbs") / "divers"
    topic = web[0].topics()[0]
    create_collection(
        place,
        haenyeo.Topic(words=topic.words, seeds=topic.seeds),
        fetch=FetchSettings(allow_private=("127.0.0.0/8",)),
    )
    with haenyeo.Collection.open(place) as opened:
        assert sum(1 for _ in opened.crawl(pages=25, overrides=AT_ONCE)) > 10
    return place


def test_questions_are_answered(folder: Path) -> None:
    with haenyeo.Collection.open(folder) as divers:
        first = next(divers.pages())
        word = first.title.split()[0]
        assert divers.search(word).hits
        assert divers.page(first.url).text == first.text
        assert divers.why(first.url).state == "kept"
        assert divers.judge(first.url, relevant=True).relevant
        assert divers.status().counts.kept == sum(1 for _ in divers.pages())
        assert divers.changes() == []
        assert divers.rules() == []
        assert divers.plan(per_day=10).per_day == 10
        with pytest.raises(NotThereError):
            divers.page("http://nowhere.example/")


def test_a_collection_shows_itself_in_a_notebook_and_as_tables(folder: Path, tmp_path: Path) -> None:
    with haenyeo.Collection.open(folder, writing=False) as divers:
        card = divers._repr_html_()
        assert "<svg" in card
        assert "pages kept" in card
        count = sum(1 for _ in divers.pages())
        assert count > 1
        batches = list(divers.to_arrow(rows=2))
        assert [batch.num_rows for batch in batches][:1] == [2]
        assert sum(batch.num_rows for batch in batches) == count
        done = divers.export("jsonl", tmp_path / "divers.jsonl", dedup="mark")
        assert done.count == count == len((tmp_path / "divers.jsonl").read_text(encoding="utf-8").splitlines())


def test_pages_are_visited_again_and_watched_where_a_loop_runs_already(folder: Path) -> None:
    async def work() -> tuple[int, int, int]:
        async with haenyeo.Collection.open(folder) as divers:
            url = next(divers.pages()).url
            divers.settings = AT_ONCE.applied_to(divers.settings)
            refreshed = await divers.refresh_async(per_day=1000)
            watched = await divers.watch_async([url])
            again = divers.watch()
            return refreshed.visited, len(watched), sum(standing.fine for page in again for standing in page.standings)

    visited, watched, fine = asyncio.run(work())
    assert visited >= 0
    assert (watched, fine) == (1, 1)


def test_names_are_listed_and_a_users_script_is_typed(tmp_path: Path) -> None:
    assert {*haenyeo.__all__} <= {*dir(haenyeo)}
    (tmp_path / "script.py").write_text(USER_SCRIPT, encoding="utf-8")
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), "script.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Success" in checked.stdout, checked.stdout


def test_chunks_follow_what_changed(tmp_path: Path) -> None:
    def imported(html: str, date: str) -> None:
        line = {"url": "http://a.example/reef", "html": html, "date": date}
        (tmp_path / f"{date}.jsonl").write_text(json.dumps(line), encoding="utf-8")
        with haenyeo.Collection.open(tmp_path / "reef") as opened:
            assert asyncio.run(opened.import_async([tmp_path / f"{date}.jsonl"])).pages == 1

    def page(kelp: str) -> str:
        parts = {"Kelp": kelp, "Urchins": " ".join(f"urchin{place}" for place in range(120))}
        body = "".join(f"<h2>{name}</h2><p>{text}</p>" for name, text in parts.items())
        return f"<!doctype html><title>Reef</title><article><h1>Reef</h1>{body}</article>"

    create_collection(tmp_path / "reef", haenyeo.Topic(words="reef", threshold=0.0))
    imported(page(" ".join(f"kelp{place}" for place in range(120))), "2024-03-05")
    with haenyeo.Collection.open(tmp_path / "reef") as opened:
        opened.export("chunks", tmp_path / "chunks.jsonl")
    chunks = [json.loads(line) for line in (tmp_path / "chunks.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [chunk["headings"][-1] for chunk in chunks] == ["Kelp", "Urchins"]
    assert len({chunk["id"] for chunk in chunks}) == 2
    imported(page(" ".join(f"weed{place}" for place in range(120))), "2024-04-05")
    arguments = ("export", str(tmp_path / "reef"), "--to", "chunks", "--since", "2024-03-20", "--out", "-")
    done = subprocess.run([sys.executable, "-m", "haenyeo", *arguments], capture_output=True, text=True, check=True)
    changes = [json.loads(line) for line in done.stdout.splitlines()]
    assert sorted(change["op"] for change in changes) == ["add", "remove"]
    assert next(each["id"] for each in changes if each["op"] == "remove") == chunks[0]["id"]
    assert "weed119" in next(each["chunk"]["text"] for each in changes if each["op"] == "add")
    with haenyeo.Collection.open(tmp_path / "reef", writing=False) as opened:
        since = datetime(2024, 3, 20, tzinfo=UTC)
        assert opened.export("chunks", tmp_path / "changes.parquet", since=since, chunk_tokens=300).count == 2
