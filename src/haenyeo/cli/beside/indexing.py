"""Keeps the search index up to date beside a crawl, while that waits for servers, and after a short one.

To index a page takes as much time of a processor as to crawl it, or more. A crawl that never waits leaves its pages to
those who search.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from haenyeo.model.errors import HaenyeoError
from haenyeo.store.search import SearchIndex

log = logging.getLogger(__name__)

LOOK_EVERY = 0.25  # seconds
IDLE = 0.3  # of a processor's time; a crawl that uses more of it shall have all of it
STINT = 0.2  # seconds of indexing before the next look
WORTH_A_WORD = 500  # visits to take in; fewer take no time that is felt


@contextmanager
def indexing(folder: Path, *, wanted: bool = True) -> Iterator[None]:
    """Inside, new pages are indexed by a thread of its own whenever the rest of the process does little."""
    if not wanted:
        yield
        return
    over = threading.Event()
    thread = threading.Thread(target=_keep_indexing, args=(folder, over), name="haenyeo index", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def index_rest(folder: Path) -> None:
    """Index what was not indexed yet if that takes no time that is felt."""
    with SearchIndex(folder) as index:
        if index.behind() < WORTH_A_WORD:
            index.update()


def index_all(index: SearchIndex, *, quiet: bool) -> None:
    """Bring the index up to date, with a bar when that takes a while."""
    if quiet or index.behind() < WORTH_A_WORD:
        index.update()
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("indexing new pages", total=index.behind())
        index.update(lambda done, _: progress.update(task, completed=done))


def _spent_by_others() -> float:
    """Seconds in which the other threads worked or, where the system tells, the first one waited for a processor."""
    first = threading.main_thread().native_id
    try:
        worked, waited, *_ = Path(f"/proc/self/task/{first}/schedstat").read_text(encoding="ascii").split()
    except (OSError, ValueError):
        return time.process_time() - time.thread_time()
    return (int(worked) + int(waited)) / 1e9


class IdleTime:
    """Tells whether the other threads of this process do little; `spent` counts the processor's seconds they had."""

    def __init__(
        self, spent: Callable[[], float] = _spent_by_others, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._spent, self._now = spent, now
        self._before = spent(), now()

    def is_now(self) -> bool:
        """Whether they have done little since the last call."""
        spent, at = self._spent(), self._now()
        (spent_before, before), self._before = self._before, (spent, at)
        return spent - spent_before < IDLE * (at - before)


def _keep_indexing(folder: Path, over: threading.Event) -> None:
    try:
        with SearchIndex(folder) as index:
            idle = IdleTime()
            while not over.wait(LOOK_EVERY):
                if idle.is_now():
                    index.update(seconds=STINT)
                    idle.is_now()
    except HaenyeoError as error:
        log.warning("pages are not indexed beside the crawl: %s", error)
