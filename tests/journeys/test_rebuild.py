"""A database that is lost comes back from the archive: the same pages, texts, visits and waiting links."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from processes import wait_until

from haenyeo.demo import Address, DemoWeb
from haenyeo.model.visits import Found
from haenyeo.store import Store
from haenyeo.store.rebuilding import UNFINISHED

Command = Callable[..., "subprocess.CompletedProcess[str]"]
Web = tuple[DemoWeb, Address]
pytestmark = pytest.mark.slow


def make(web: Web, haenyeo: Command, folder: Path, scorer: str) -> None:
    topic = web[0].topics()[0]
    haenyeo("new", folder.name, "--topic", topic.words, *(part for seed in topic.seeds for part in ("--seed", seed)))
    settings = folder / "haenyeo.toml"
    text = settings.read_text(encoding="utf-8").replace('scorer = "default"', f'scorer = "{scorer}"')
    settings.write_text(text.replace("allow_private = []", 'allow_private = ["127.0.0.0/8"]'), encoding="utf-8")


@pytest.fixture
def divers(web: Web, haenyeo: Command, tmp_path: Path) -> Path:
    """A collection of a hundred pages of the demo web, some of them visited again."""
    make(web, haenyeo, tmp_path / "divers", "bfs")
    for pages in ("9", "20", "70"):  # what was learnt of a site is put down and taken up between its pages
        haenyeo("crawl", "divers", "--pages", pages, "--delay", "0", "-q")
    refresh = ("refresh", "divers", "--budget", "100000/day", "--once", "--delay", "0")
    wait_until(lambda: not haenyeo(*refresh).stdout.startswith("0 pages"))  # a page seen just now may not be due yet
    return tmp_path / "divers"


def contents(folder: Path) -> dict[str, Any]:
    """All that a collection says of what has an answer in its archive, and the links that wait."""
    with Store.open(folder, writing=False) as store:
        pages = [
            page for page in store.pages(kept_only=False) if any(visit.archive for visit in store.visits(page.url))
        ]
        names, waiting = store.sites(), []
        for batch in store.waiting():
            waiting += [link.url for link in store.links(batch.refs.tolist())]
            assert set(batch.sites.tolist()) <= set(names)
        return {
            "pages": {page.url: (page.depth, page.kept, page.outcome, page.title, page.simhash) for page in pages},
            "texts": {page.url: page.text for page in pages},
            "visits": {
                (visit.url, visit.at): (
                    visit.outcome,
                    visit.status,
                    visit.found,
                    visit.archive,
                    visit.start,
                    visit.size,
                )
                for page in pages
                for visit in store.visits(page.url)
                if visit.archive
            },
            "bodies": {page.url: store.body(store.visits(page.url)[-1]) for page in pages if page.kept},
            "waiting": sorted(set(waiting)),
        }


def unarchived(folder: Path) -> set[str]:
    """The addresses that were dealt with and left nothing in the archive."""
    with Store.open(folder, writing=False) as store:
        pages = list(store.pages(kept_only=False))
        return {page.url for page in pages if not any(visit.archive for visit in store.visits(page.url))}


def lose(folder: Path) -> None:
    for path in folder.glob("haenyeo.db*"):
        path.unlink()


def test_what_was_collected_comes_back_and_the_crawl_goes_on(haenyeo: Command, divers: Path) -> None:
    before, wait_again = contents(divers), unarchived(divers)
    assert {visit[2] for visit in before["visits"].values()} >= {Found.NEW, Found.NOT_MODIFIED}
    lose(divers)
    assert "haenyeo rebuild divers" in haenyeo("status", "divers", code=1).stderr
    assert "haenyeo rebuild divers" in haenyeo("crawl", "divers", code=1).stderr
    said = haenyeo("rebuild", "divers").stdout
    assert "the watchlist are lost" in said
    after = contents(divers)
    assert after["pages"] == before["pages"]
    assert after["texts"] == before["texts"]
    assert after["visits"] == before["visits"]
    assert after["bodies"] == before["bodies"]
    assert set(after["waiting"]) == set(before["waiting"]) | wait_again

    more = json.loads(haenyeo("crawl", "divers", "--pages", "30", "--delay", "0", "--json").stdout)
    assert more["visited"] >= 30
    grown = contents(divers)
    assert grown["pages"].items() >= {url: page for url, page in after["pages"].items() if page[1]}.items()
    assert len(grown["visits"]) > len(after["visits"])


def test_a_rebuild_that_is_killed_goes_on_where_it_was(haenyeo: Command, divers: Path) -> None:
    before = contents(divers)
    lose(divers)
    code = (
        "import haenyeo.collect.rebuild.rebuild as work, haenyeo.cli.app as app\n"
        "work.COMMIT_EVERY = 10\n"
        "app.run(['rebuild', 'divers', '-q'])"
    )
    process = subprocess.Popen([sys.executable, "-c", code], cwd=divers.parent, env={**os.environ, "NO_COLOR": "1"})
    log = divers / (UNFINISHED + "-wal")
    wait_until(lambda: process.poll() is not None or (log.exists() and log.stat().st_size > 300_000))
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert (divers / UNFINISHED).exists(), "it was killed in the midst of it"
    assert not (divers / "haenyeo.db").exists()
    haenyeo("rebuild", "divers", "-q")
    after = contents(divers)
    assert after["visits"] == before["visits"]
    assert after["texts"].keys() == before["texts"].keys()
    assert not (divers / UNFINISHED).exists()


def test_a_topic_judges_as_before_and_its_verdicts_are_taken_over(web: Web, haenyeo: Command, tmp_path: Path) -> None:
    make(web, haenyeo, tmp_path / "topic", "default")
    for pages in ("40", "60"):
        haenyeo("crawl", "topic", "--pages", pages, "--delay", "0", "-q")
    before = contents(tmp_path / "topic")
    assert len({page[1] for page in before["pages"].values()}) == 2, "some are kept, some are not"
    haenyeo("rebuild", "topic", "-q")
    after = contents(tmp_path / "topic")
    assert after["pages"] == before["pages"]
    assert after["texts"] == before["texts"]

    haenyeo("judge", "topic", next(url for url, page in before["pages"].items() if page[1]), "yes")
    said = haenyeo("rebuild", "topic").stdout
    assert "1 verdicts, rules, seeds and watched pages were taken over" in said
    assert (tmp_path / "topic" / "haenyeo.db-before").exists()


def test_a_damaged_database_names_the_command(haenyeo: Command, divers: Path) -> None:
    for suffix in ("-wal", "-shm"):
        (divers / f"haenyeo.db{suffix}").unlink(missing_ok=True)
    (divers / "haenyeo.db").write_bytes(b"nothing of use" * 1000)
    assert "haenyeo rebuild divers" in haenyeo("status", "divers", code=1).stderr
    haenyeo("rebuild", "divers", "-q")
    assert json.loads(haenyeo("status", "divers", "--json").stdout)["counts"]["kept"] > 50
