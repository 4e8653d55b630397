"""Runs many cases at a time: most of them wait for a time limit or a pause, so one by one they would take an hour."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Self

from hostile.cases import CASES
from hostile.crawl import crawl
from hostile.server import Web
from hostile.stage import Stage
from hostile.verdict import judge

AT_A_TIME = 8

# These wait for a time limit, so they are started first and the others run beside them.
LONG = frozenset({
    "no-answer-many", "slow-headers", "slow-body", "endless-trickle", "robots-hang", "robots-429", "robots-500",
    "rate-503-always", "rate-429-huge", "url-nx", "sm-million", "tls-silent", "1xx-endless",
})  # fmt: skip


class Performance:
    """All cases of one test run: each is begun at once, and `verdict` waits for one of them."""

    def __init__(self, names: Iterable[str], folder: Path) -> None:
        self._names = sorted(names, key=lambda name: name not in LONG)
        self._folder = folder
        self._web = Web()
        self._pool = ThreadPoolExecutor(AT_A_TIME, thread_name_prefix="case")
        self._played: dict[str, Future[None]] = {}

    def __enter__(self) -> Self:
        self._web.__enter__()
        self._played = {name: self._pool.submit(self._play, name) for name in self._names}
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(cancel_futures=True)
        self._web.__exit__()

    def verdict(self, name: str) -> None:
        """Wait for the case; raises AssertionError if a promise was not kept."""
        self._played[name].result()

    def _play(self, name: str) -> None:
        folder = self._folder / name
        folder.mkdir()
        stage = Stage(self._web, folder)
        try:
            expected = CASES[name](stage)
            judge(crawl(stage), expected)
        finally:
            stage.close()
