"""What is shipped for containers and services starts: their own command lines are run here, without either."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import sysconfig
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


def test_the_dockerfile_keeps_to_the_rules_of_its_craft() -> None:
    linter = Path(sysconfig.get_path("scripts")) / "hadolint"
    done = subprocess.run([linter, DEPLOY / "Dockerfile"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


class EmptyRoot:
    """Follows the Dockerfile in a folder that stands for the root of an empty machine.

    What only a machine can do is written down: packages that are installed, users that are made. Dependencies are taken
    from here, so that only the project itself is built.
    """

    PUBLISHED = ("src", "pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "LICENSE", "NOTICE")
    STAND_INS = ("apt-get", "useradd", "install")

    def __init__(self, root: Path) -> None:
        self.root = root
        self.notes = root / "notes"
        programs = root / "programs"
        programs.mkdir()
        for name in self.STAND_INS:
            (programs / name).write_text(f'#!/bin/sh\necho "{name} $*" >> {self.notes}\n', encoding="utf-8")
            (programs / name).chmod(0o755)
        (programs / "python").symlink_to(sys.executable)
        self.environment = {"PATH": f"{programs}:/usr/bin:/bin", "PIP_NO_DEPS": "1", "HOME": str(root)}
        self.environment |= {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "SSL_"))}

    def follow(self) -> None:
        """Do what each line says."""
        text = (DEPLOY / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", "")
        for line in text.splitlines():
            name, _, rest = line.partition(" ")
            if name == "RUN":
                self.run(rest)
            elif name == "COPY" and not rest.startswith("--from"):
                self.copy(rest.split()[1])
            elif name == "ENV":
                key, _, value = rest.partition("=")
                self.environment[key] = self.here(value).replace("$PATH", self.environment["PATH"])

    def here(self, words: str) -> str:
        """Words with their paths inside the folder."""
        return re.sub(r"(?<![\w.])/(opt|source|data|var)\b", rf"{self.root}/\1", words)

    def run(self, command: str) -> str:
        done = subprocess.run(
            ["/bin/sh", "-ec", self.here(command)],
            env=self.environment,
            cwd=self.root,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-2000:]
        return done.stdout

    def copy(self, target: str) -> None:
        unwanted = shutil.ignore_patterns("*.so", "__pycache__", "*.egg-info")
        for name in self.PUBLISHED:
            source, place = DEPLOY.parent / name, Path(self.here(target)) / name
            place.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, place, ignore=unwanted)
            else:
                shutil.copy(source, place)


def test_the_steps_of_the_dockerfile_make_a_haenyeo_that_runs(tmp_path: Path) -> None:
    machine = EmptyRoot(tmp_path)
    machine.follow()
    machine.environment["PYTHONPATH"] = sysconfig.get_path("purelib")
    told = machine.run("haenyeo --version && python -c 'import haenyeo; print(haenyeo.__file__)'")
    assert f"{tmp_path}/opt/haenyeo/" in told
    done = machine.notes.read_text(encoding="utf-8")
    assert "apt-get install -y --no-install-recommends gcc libc6-dev" in done
    assert "--uid 10001 diver" in done
    assert f"install -d -o diver {tmp_path}/data" in done
