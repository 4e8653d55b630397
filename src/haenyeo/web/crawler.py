"""Starts, pauses and stops a crawl as a process of its own, so that pages never wait for views nor views for pages."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Literal

import msgspec

from haenyeo.store.lock import writer_of

State = Literal["idle", "running", "stopping", "paused", "elsewhere"]
LAST_WORDS = 2000  # bytes of a crawl's messages that are kept
GRACE = 20.0  # seconds that a crawl gets to end


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """How much a crawl shall do; None is no limit."""

    pages: int | None = None
    minutes: float | None = None
    delay: float | None = None


class Condition(msgspec.Struct, frozen=True, kw_only=True):
    """What the crawl is doing: `message` is what the last one said when it ended, `process` who works elsewhere."""

    state: State
    message: str = ""
    process: int | None = None
    since: float | None = None


class Crawler:
    """The crawl that the dashboard steers; at most one at a time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.RLock()
        self._process: subprocess.Popen[bytes] | None = None
        self._said: IO[bytes] | None = None
        self._wish = Wish()
        self._paused = self._stopping = False
        self._message = ""
        self._since: float | None = None

    @property
    def condition(self) -> Condition:
        """What it is doing now."""
        with self._lock:
            self._notice_end()
            if self._process is not None:
                state: State = "stopping" if self._stopping else "running"
                return Condition(state=state, process=self._process.pid, since=self._since)
            other = writer_of(self._folder)
            if other is not None:
                return Condition(state="elsewhere", process=other)
            return Condition(state="paused" if self._paused else "idle", message=self._message)

    def start(self, wish: Wish) -> None:
        """Begin a crawl unless one is under way."""
        with self._lock:
            if self.condition.state not in ("idle", "paused"):
                return
            self._wish, self._paused, self._message = wish, False, ""
            self._launch()

    def pause(self) -> None:
        """End the crawl, to go on with `resume`."""
        with self._lock:
            if self._process is not None:
                self._paused = True
                self._ask_to_end()

    def resume(self) -> None:
        """Go on after a pause."""
        with self._lock:
            if self.condition.state == "paused":
                self.start(self._wish)

    def stop(self) -> None:
        """End the crawl for good; everything fetched is kept."""
        with self._lock:
            self._paused = False
            if self._process is not None:
                self._ask_to_end()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Inside, the crawl stands still and another may write in the collection; then it goes on."""
        with self._lock:
            runs = self.condition.state == "running"
            if runs:
                self._end()
            try:
                yield
            finally:
                if runs:
                    self._launch()

    def close(self) -> None:
        """End the crawl and wait for it."""
        with self._lock:
            self._paused = False
            if self._process is not None:
                self._end()

    def _end(self) -> None:
        """End the process and wait until it has."""
        assert self._process is not None
        self._ask_to_end()
        try:
            self._process.wait(GRACE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._notice_end()

    def _launch(self) -> None:
        options = [
            part
            for name, value in (
                ("pages", self._wish.pages),
                ("minutes", self._wish.minutes),
                ("delay", self._wish.delay),
            )
            if value is not None
            for part in (f"--{name}", str(value))
        ]
        said = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as the process runs
        self._process = subprocess.Popen(  # noqa: S603 - our own command line, its options are numbers
            [sys.executable, "-m", "haenyeo", "crawl", str(self._folder), "--no-index", *options],
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=subprocess.STDOUT,
            env={**os.environ, "NO_COLOR": "1"},
            start_new_session=True,  # Ctrl-C in the terminal reaches the dashboard, which then ends the crawl itself
        )
        self._said, self._stopping, self._since = said, False, time.time()

    def _ask_to_end(self) -> None:
        assert self._process is not None
        self._stopping = True
        self._process.send_signal(signal.SIGTERM)

    def _notice_end(self) -> None:
        if self._process is None or self._process.poll() is None:
            return
        assert self._said is not None
        self._said.seek(max(0, self._said.seek(0, os.SEEK_END) - LAST_WORDS))
        self._message = self._said.read().decode("utf-8", "replace").strip()
        self._said.close()
        self._process = self._said = self._since = None
        self._stopping = False
