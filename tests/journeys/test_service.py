"""`haenyeo run` as a user calls it: killed again and again, stopped, started twice, cut off from the network."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from haenyeo.collect.collection import Collection, create_collection
from haenyeo.demo import Address, DemoWeb, serve_in_thread
from haenyeo.demo.clock import EPOCH, HOUR
from haenyeo.model.config import FetchSettings, Topic
from haenyeo.model.visits import Found

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

START = EPOCH.timestamp()
SITE = "tidekit"
SPEED = 240.0  # an hour in 15 seconds
KILLS = 10
Web = tuple[DemoWeb, Address]


@pytest.fixture
def running() -> Iterator[Web]:
    """A demo web whose clock runs."""
    demo = DemoWeb()
    with serve_in_thread(demo) as address:
        yield demo, address


def make(folder: Path, web: DemoWeb) -> Path:
    create_collection(
        folder,
        Topic(words="tide", seeds=(web.url(SITE),)),
        hosts=[f"{SITE}.localhost"],
        fetch=FetchSettings(allow_private=("127.0.0.0/8",), contact="tests@example.org"),
    )
    file = folder / "haenyeo.toml"
    file.write_text(file.read_text(encoding="utf-8").replace('scorer = "default"', 'scorer = "bfs"'), encoding="utf-8")
    return folder


@contextmanager
def service(
    folder: Path, clock: str = "", budget: str = "3000/day", delay: float = 0.0
) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-m", "haenyeo", "run", str(folder), "--delay", str(delay), "--budget", budget],
        env={**os.environ, "NO_COLOR": "1", "HAENYEO_CLOCK": clock},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def is_listening(process: subprocess.Popen[str]) -> bool:
    """Has the process begun to handle SIGTERM? On a busy machine that takes seconds."""
    caught = re.search(r"SigCgt:\s*(\w+)", Path(f"/proc/{process.pid}/status").read_text())
    return bool(caught and int(caught[1], 16) >> (signal.SIGTERM - 1) & 1)


def stop(process: subprocess.Popen[str]) -> str:
    if Path("/proc/self/status").exists():
        wait_for(lambda: is_listening(process))
    process.send_signal(signal.SIGTERM)
    said = process.communicate(timeout=60)[0]
    assert process.returncode == 143, said
    return said


def wait_for(condition: object, seconds: float = 60.0) -> None:
    assert callable(condition)
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.1)


@contextmanager
def reserved_port() -> Iterator[int]:
    """A port on which nothing listens and that no other process is given."""
    with socket.socket() as holder:
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        holder.bind(("127.0.0.1", 0))
        yield holder.getsockname()[1]


def cut_off(folder: Path, web: DemoWeb, port: int) -> Path:
    """A collection of a web that is not served yet."""
    web.port = port
    return make(folder, web)


def wait_until_it_says(words: str, process: subprocess.Popen[str]) -> None:
    assert process.stdout is not None
    assert any(words in line for line in process.stdout), "it ended"


def collected(folder: Path) -> int:
    with suppress(Exception), Collection.open(folder, writing=False) as opened:
        return opened.store.counts().kept
    return 0


def waiting(folder: Path) -> int:
    with Collection.open(folder, writing=False) as opened:
        return opened.store.waiting_count()


def an_hour(folder: Path, web: DemoWeb, kills: int) -> tuple[Counter[str], dict[str, str], int]:
    """Serve for an hour of turned time, killed so often: what visits found, the texts, and the number of visits."""
    web.clock.now = 0
    began = time.time()
    web.clock.run(SPEED)
    clock = f"{START}@{began}*{SPEED}"
    part = HOUR / SPEED / (kills + 1)
    for kill in range(kills):
        with service(folder, clock) as process:
            time.sleep(max(0.0, began + (kill + 1) * part - time.time()))
            process.kill()
    with service(folder, clock) as process:
        time.sleep(max(0.0, began + HOUR / SPEED - time.time()))
        wait_for(lambda: collected(folder) > 0 and not waiting(folder), 90)
        stop(process)
    web.clock.run(0)
    with Collection.open(folder, writing=False) as opened:
        pages = list(opened.store.pages())
        visits = [visit for page in pages for visit in opened.store.visits(page.url)]
        return Counter(visit.found for visit in visits), {page.url: page.text for page in pages}, len(visits)


def test_ten_kills_in_an_hour_leave_what_an_unbroken_hour_leaves(running: Web, tmp_path: Path) -> None:
    web = running[0]
    unbroken, texts, visits = an_hour(make(tmp_path / "unbroken", web), web, 0)
    broken, texts_after_kills, visits_after_kills = an_hour(make(tmp_path / "broken", web), web, KILLS)
    assert len(texts) > 50
    assert texts_after_kills.keys() == texts.keys()
    assert broken[Found.NEW] == unbroken[Found.NEW]
    assert visits_after_kills <= visits + 64 * KILLS


def test_a_second_service_is_told_who_works_there(running: Web, tmp_path: Path) -> None:
    folder = make(tmp_path / "one", running[0])
    with service(folder) as first:
        wait_for(lambda: collected(folder) > 0)
        with service(folder) as second:
            said = second.communicate(timeout=30)[0]
            assert second.returncode == 3
            assert str(first.pid) in said
        assert "go on with" in stop(first)


def test_crawl_and_refresh_have_one_budget(running: Web, tmp_path: Path) -> None:
    web, address = running
    folder = make(tmp_path / "thrifty", web)

    def asked() -> int:
        return sum(request.target != "/robots.txt" for request in address.log.requests)

    with service(folder, budget="80/day") as process:
        wait_for(lambda: asked() >= 10)
        wait_for(lambda: collected(folder) > 5)
        time.sleep(3)
        stop(process)
    assert asked() <= 11
    with service(folder, budget="80/day") as process:
        time.sleep(3)
        stop(process)
    assert asked() <= 12
    assert waiting(folder) > 20


def test_links_wait_while_the_network_is_lost(tmp_path: Path) -> None:
    web = DemoWeb()
    with reserved_port() as port, service(cut_off(tmp_path / "cut", web, port), delay=0.1) as process:
        folder = tmp_path / "cut"
        wait_until_it_says("the network is lost", process)
        with serve_in_thread(web, port):
            wait_for(lambda: collected(folder) > 20, 200)
        wait_until_it_says("the network is lost", process)
        with serve_in_thread(web, port):
            wait_for(lambda: collected(folder) > 50 and not waiting(folder), 200)
        stop(process)
    with Collection.open(folder, writing=False) as opened:
        assert not [each for each in opened.store.failures() if each.outcome in ("failed", "refused")]
