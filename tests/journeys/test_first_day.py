"""The first day of a user: make, crawl, look, export, stop, go on."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
from processes import kept_pages, wait_until

from haenyeo.demo import Address, DemoWeb
from haenyeo.store.search import SearchIndex

Command = Callable[..., "subprocess.CompletedProcess[str]"]
Web = tuple[DemoWeb, Address]
TEXTS = {"about", "ad", "article", "doc", "entry"}  # kinds of pages that are read for their text, not for their links
pytestmark = pytest.mark.slow


def allow_loopback(folder: Path) -> None:
    """Let the collection ask this machine, and keep every page it finds."""
    settings = folder / "haenyeo.toml"
    text = settings.read_text(encoding="utf-8").replace('scorer = "default"', 'scorer = "bfs"')
    settings.write_text(text.replace("allow_private = []", 'allow_private = ["127.0.0.0/8"]'), encoding="utf-8")


@pytest.fixture
def divers(web: Web, haenyeo: Command, tmp_path: Path) -> Path:
    """A collection about the demo web's first topic, not crawled yet."""
    topic = web[0].topics()[0]
    haenyeo("new", "divers", "--topic", topic.words, *(part for seed in topic.seeds for part in ("--seed", seed)))
    allow_loopback(tmp_path / "divers")
    return tmp_path / "divers"


@pytest.mark.usefixtures("divers")
def test_pages_are_crawled_counted_and_exported(
    haenyeo: Command, tmp_path: Path, read_lines: Callable[[str], list[dict[str, Any]]]
) -> None:
    ended = json.loads(haenyeo("crawl", "divers", "--pages", "120", "--delay", "0", "--json").stdout)
    assert ended["why"] == "budget"
    status = json.loads(haenyeo("status", "divers", "--json").stdout)
    assert status["counts"]["kept"] == ended["kept"] > 100
    assert status["waiting"] == ended["waiting"] > 0

    haenyeo("export", "divers", "--to", "jsonl", "--out", "divers.jsonl")
    pages = read_lines("divers.jsonl")
    assert len(pages) == len({page["url"] for page in pages}) == ended["kept"]
    assert all(page["text"] and page["url"].startswith("http://") for page in pages)
    assert any("해녀" in page["text"] for page in pages), "Korean pages come out as Korean"

    haenyeo("export", "divers", "--to", "csv")
    with (tmp_path / "divers.csv").open(encoding="utf-8-sig", newline="") as file:
        assert [row["url"] for row in csv.DictReader(file)] == [page["url"] for page in pages]

    haenyeo("export", "divers", "--to", "markdown")
    files = list((tmp_path / "divers-markdown").iterdir())
    assert len(files) == len(pages)
    assert all(file.read_text(encoding="utf-8").startswith("---\nurl: ") for file in files)


@pytest.mark.usefixtures("divers")
def test_what_is_exported_is_what_the_pages_say(web: Web, haenyeo: Command) -> None:
    haenyeo("crawl", "divers", "--pages", "60", "--delay", "0", "-q")
    out = haenyeo("export", "divers", "--to", "jsonl", "--out", "-").stdout
    scores = []
    for page in map(json.loads, out.splitlines()):
        truth = web[0].page(page["url"])
        if truth and truth.text and truth.kind in TEXTS:
            said, read = Counter(truth.text.split()), Counter(page["text"].split())
            assert (said - read).total() <= 0.1 * said.total(), page["url"]
            scores.append(2 * (said & read).total() / (said.total() + read.total()))
    assert len(scores) > 20
    assert fmean(scores) > 0.9


@pytest.mark.usefixtures("divers")
def test_a_crawl_goes_on_where_it_stopped(haenyeo: Command, web: Web) -> None:
    web[1].log.clear()
    for _ in range(3):
        haenyeo("crawl", "divers", "--pages", "30", "--delay", "0", "-q")
    repeated = {key: count for key, count in web[1].log.counts.items() if count > 1 and key[2] not in (301, 302)}
    assert repeated == {}, "no page is asked for twice, nor robots.txt: it is kept between crawls"
    assert json.loads(haenyeo("status", "divers", "--json").stdout)["counts"]["fetched"] >= 90


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_a_crawl_cleanly(divers: Path, haenyeo: Command, number: int, code: int) -> None:
    crawl = subprocess.Popen(
        [sys.executable, "-m", "haenyeo", "crawl", str(divers), "--delay", "0.3"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    wait_until(lambda: kept_pages(divers) > 0)
    crawl.send_signal(number)
    output, _ = crawl.communicate(timeout=120)
    assert crawl.returncode == code
    assert "go on with: haenyeo crawl" in output
    assert "Traceback" not in output
    assert json.loads(haenyeo("status", "divers", "--json").stdout)["counts"]["kept"] > 0


def has_more(folder: Path, before: int, crawl: subprocess.Popen[bytes]) -> bool:
    return kept_pages(folder) > before + 15 or crawl.poll() is not None


def test_a_killed_crawl_loses_and_doubles_nothing(divers: Path, haenyeo: Command) -> None:
    for _ in range(4):
        before = kept_pages(divers)
        crawl = subprocess.Popen(
            [sys.executable, "-m", "haenyeo", "crawl", str(divers), "--delay", "0", "--pages", "400", "-q"],
            start_new_session=True,
        )
        wait_until(partial(has_more, divers, before, crawl))
        os.killpg(crawl.pid, signal.SIGKILL)
        crawl.wait()
    haenyeo("crawl", "divers", "--pages", "50", "--delay", "0", "-q")
    pages = [
        json.loads(line)["url"]
        for line in haenyeo("export", "divers", "--to", "jsonl", "--out", "-").stdout.splitlines()
    ]
    assert len(pages) == len(set(pages)) > 50
    archives = sorted((divers / "archive").glob("*.warc.gz"))
    assert archives
    for archive in archives:
        subprocess.run([sys.executable, "-m", "warcio.cli", "check", str(archive)], check=True, capture_output=True)


def test_only_one_crawl_works_on_a_collection(divers: Path, haenyeo: Command) -> None:
    first = subprocess.Popen(
        [sys.executable, "-m", "haenyeo", "crawl", str(divers), "--delay", "1", "-q"], stdin=subprocess.DEVNULL
    )
    try:
        wait_until(lambda: kept_pages(divers) > 0)
        second = haenyeo("crawl", "divers", code=3)
        assert str(first.pid) in second.stderr
        haenyeo("status", "divers")
        haenyeo("export", "divers", "--to", "jsonl", "--out", "-")
    finally:
        first.terminate()
        first.wait(30)


@pytest.mark.usefixtures("divers")
def test_pages_are_found_by_their_words(haenyeo: Command) -> None:
    haenyeo("crawl", "divers", "--pages", "40", "--delay", "0", "-q")
    found = json.loads(haenyeo("search", "divers", "해녀", "--language", "ko", "--json").stdout)
    assert found["total"] > 0
    assert all("해녀" in hit["snippet"]["text"] + hit["title"] for hit in found["hits"])
    assert "nothing-of-the-kind" in haenyeo("search", "divers", "nothing-of-the-kind", code=1).stdout


@pytest.mark.usefixtures("divers")
def test_what_was_crawled_is_indexed_when_the_crawl_ends(haenyeo: Command, tmp_path: Path) -> None:
    ended = json.loads(haenyeo("crawl", "divers", "--pages", "40", "--delay", "0", "--json").stdout)
    with SearchIndex(tmp_path / "divers") as index:
        assert index.behind() == 0
    assert ended["visited"] >= 40
    found = json.loads(haenyeo("search", "divers", "the", "--json").stdout)
    assert (found["unindexed"], found["total"] > 0) == (0, True)
