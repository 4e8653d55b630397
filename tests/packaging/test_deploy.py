"""What is shipped for containers and services starts: their own command lines are run here, without either."""

from __future__ import annotations

import json
import re
import shlex
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from haenyeo.collect.collection import create_collection
from haenyeo.model.config import Topic
from haenyeo.store import Store

pytestmark = pytest.mark.slow
DEPLOY = Path(__file__).parents[2] / "deploy"
HAENYEO = [sys.executable, "-m", "haenyeo"]
PATIENCE = 60.0


def instruction(name: str) -> list[str]:
    """The words of an instruction of the Dockerfile that is a list."""
    text = (DEPLOY / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", "")
    found = re.search(rf"^(?:{name}) .*?(\[.*\])$", text, re.MULTILINE)
    assert found is not None
    words: list[str] = json.loads(found[1])
    return words


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    create_collection(tmp_path / "collection", Topic(words="reef", seeds=("http://127.0.0.1:9/",)))
    (tmp_path / "token").write_text("a-key-that-is-long-enough", encoding="utf-8")
    return tmp_path


def test_the_container_serves_and_its_health_check_says_so(folder: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])

    def here(word: str) -> str:
        return word.replace("/data", str(folder)).replace("8620", port).replace("0.0.0.0", "127.0.0.1")

    check = [sys.executable, *map(here, instruction("HEALTHCHECK")[1:])]
    assert subprocess.run(check, check=False, capture_output=True).returncode != 0
    process = subprocess.Popen([*HAENYEO, *map(here, instruction("CMD"))], stdout=subprocess.DEVNULL)
    try:
        end = time.monotonic() + PATIENCE
        while subprocess.run(check, check=False, capture_output=True).returncode and time.monotonic() < end:
            time.sleep(0.2)
        assert subprocess.run(check, check=False, capture_output=True).returncode == 0
    finally:
        process.terminate()
        process.wait(PATIENCE)


def test_the_service_runs_and_stops_as_systemd_would_stop_it(folder: Path) -> None:
    unit = (DEPLOY / "haenyeo@.service").read_text(encoding="utf-8")
    started = re.search(r"^ExecStart=(.*)$", unit, re.MULTILINE)
    stopped = re.search(r"^KillSignal=(\w+)$", unit, re.MULTILINE)
    assert started is not None
    assert stopped is not None
    _, *words = shlex.split(started[1].replace("/var/lib/haenyeo/%i", str(folder / "collection")))
    process = subprocess.Popen([*HAENYEO, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    end = time.monotonic() + PATIENCE
    while _visits(folder / "collection") == 0 and process.poll() is None and time.monotonic() < end:
        time.sleep(0.2)
    process.send_signal(getattr(signal, stopped[1]))
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode in (0, 143)
    assert all(json.loads(line)["level"] for line in said.splitlines() if line.startswith("{"))


def _visits(folder: Path) -> int:
    with Store.open(folder, writing=False) as store:
        return store.counts().visits


def test_the_image_runs_as_nobody_special_and_keeps_to_its_volume() -> None:
    text = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    assert re.search(r"^USER (?!root)\w+$", text, re.MULTILINE)
    assert re.search(r"^VOLUME /data$", text, re.MULTILINE)
    assert ":latest" not in text
