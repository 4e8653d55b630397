"""What journeys share: the demo web over real sockets, and the command line as a user calls it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from haenyeo.demo import Address, DemoWeb, serve_in_thread

JOURNEYS = Path(__file__).parent
Command = Callable[..., "subprocess.CompletedProcess[str]"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run a journey that fails once more: real servers, browsers and kills go by a clock that a busy machine holds up.

    The summary counts those that were run again.
    """
    for item in items:
        if item.path.is_relative_to(JOURNEYS):
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="session")
def web() -> Iterator[tuple[DemoWeb, Address]]:
    """The demo web, served until the tests end; its clock stands still."""
    demo = DemoWeb()
    with serve_in_thread(demo) as address:
        yield demo, address


@pytest.fixture
def haenyeo(tmp_path: Path) -> Command:
    """Calls the command line in a fresh folder and checks its exit code."""

    def call(*arguments: str, code: int = 0) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "NO_COLOR": "1", "HAENYEO_CONTACT": "tests@example.org", "COLUMNS": "100"}
        done = subprocess.run(
            [sys.executable, "-m", "haenyeo", *arguments],
            cwd=tmp_path,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )
        assert done.returncode == code, done.stdout + done.stderr
        return done

    return call


@pytest.fixture
def read_lines(tmp_path: Path) -> Callable[[str], list[dict[str, Any]]]:
    """Reads a JSON-lines file of that folder."""

    def read(name: str) -> list[dict[str, Any]]:
        return [json.loads(line) for line in (tmp_path / name).read_text(encoding="utf-8").splitlines()]

    return read
