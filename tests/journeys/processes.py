"""Processes that run until they are stopped: when are they ready for it?"""

from __future__ import annotations

import re
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from haenyeo.model.errors import HaenyeoError
from haenyeo.store import Store

PATIENCE = 120.0  # seconds; a busy machine needs many for a start


def wait_until(holds: Callable[[], bool]) -> None:
    """Return as soon as it holds."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)


def wait_for_handlers(process: subprocess.Popen[str]) -> None:
    """Return when the process handles signals itself (or has ended); Python alone does not handle SIGTERM."""
    status = Path(f"/proc/{process.pid}/status")
    if Path("/proc/self/status").exists():
        wait_until(lambda: process.poll() is not None or _handles(status, signal.SIGTERM))
    else:
        time.sleep(5)


def kept_pages(folder: Path) -> int:
    """How many pages a collection has kept so far; 0 while it cannot be read."""
    try:
        with Store.open(folder, writing=False) as store:
            return sum(1 for _ in store.pages(kept_only=True))
    except HaenyeoError:
        return 0


def _handles(status: Path, number: signal.Signals) -> bool:
    caught = re.search(r"SigCgt:\s*(\w+)", status.read_text(encoding="ascii"))
    return bool(caught and int(caught[1], 16) >> (number - 1) & 1)
