"""What the views ask: one collection open for reading, its columns in memory, and its index.

Views run in several threads, a store serves one at a time: so each part has its lock. A thread of its own looks for
what is new every second; views answer from what it has found.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from haenyeo.collect.adapters.finding.shared_crawl import TopicHarvest, topic_harvests
from haenyeo.collect.settings_file import read_settings
from haenyeo.model.config import Settings
from haenyeo.model.errors import HaenyeoError
from haenyeo.store import FailureCounts, Store, StoredEvent
from haenyeo.store.columns import CollectionColumns, WaitingLinks
from haenyeo.store.search import Hits, SearchQuery
from haenyeo.store.shards.opening import open_index, open_store
from haenyeo.web.mind import Mind
from haenyeo.web.outlook import Outlook

log = logging.getLogger(__name__)

LOOK_EVERY = 1.0  # seconds between two looks at what is new
COUNT_EVERY = 5.0  # seconds between two looks at the links that wait
INDEX_STEPS = 4  # taken in one look, so that a large backlog does not hold up the rest
EVENTS_KEPT = 500
JUDGED_AGAIN = 5000  # pages that a verdict may concern, the newest
CACHE_KIB = 8 * 1024  # of each connection; the system keeps the files in memory anyway


class Pulse(msgspec.Struct, frozen=True, kw_only=True):
    """The few numbers that tell whether anything has happened."""

    visits: int
    waiting: int
    events: int


class Desk:
    """Everything the dashboard knows about a collection."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.settings: Settings = read_settings(folder)
        self._store, self._own = (open_store(folder, writing=False) for _ in range(2))
        self._index, self._own_index = open_index(folder), open_index(folder)
        for store in (self._store, self._own):
            store.limit_cache(CACHE_KIB)
        self._store_lock, self._own_lock = threading.RLock(), threading.RLock()
        self._index_lock, self._indexing = threading.Lock(), threading.Lock()
        self.columns, self.waiting = CollectionColumns(self._own), WaitingLinks(self._own)
        self.mind = Mind(self._own, self.settings)
        self.outlook = Outlook(folder, self.settings)
        self.sites: dict[int, str] = {}
        self.events: list[StoredEvent] = []
        self.failures: list[FailureCounts] = []
        self.harvests: tuple[TopicHarvest, ...] = ()
        self.index_behind = 0
        self.counted = False
        self._again: list[int] = []
        self._count_at, self._counted_at = 0.0, 0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._keep_looking, name="haenyeo desk", daemon=True)
        self.look()
        self._thread.start()

    @property
    def name(self) -> str:
        """What the collection is called."""
        return self.folder.absolute().name

    @property
    def pulse(self) -> Pulse:
        """Changes whenever something has happened."""
        last = self.events[-1].id if self.events else 0
        return Pulse(visits=len(self.columns.visits), waiting=len(self.waiting), events=last)

    @contextmanager
    def reading(self) -> Iterator[Store]:
        """The store, for this thread alone."""
        with self._store_lock:
            yield self._store

    def search(self, query: SearchQuery) -> Hits:
        """The pages that have these words."""
        with self._index_lock:
            return self._index.find(query)

    def judged(self) -> None:
        """Pages were judged anew: look at the newest again, and at the queue at once."""
        self._again = self.columns.pages["id"][-JUDGED_AGAIN:].tolist()
        self._count_at = 0.0

    def look(self) -> None:
        """Read what is new."""
        with self._own_lock:
            self.columns.update()
            if self._again:
                again, self._again = self._again, []
                self.columns.reload(again)
            self.sites = self._own.sites()
            after = self.events[-1].id if self.events else 0
            self.events = [*self.events, *self._own.events(after=after)][-EVENTS_KEPT:]

    def count(self) -> None:
        """Look through the links that wait, if anything has been visited or judged since the last time."""
        with self._own_lock:
            judged = self.mind.look()
            if judged:  # the crawl thinks anew of the pages it has read last
                self._again = self.columns.pages["id"][-JUDGED_AGAIN:].tolist()
            if self.counted and not judged and self._counted_at == len(self.columns.visits):
                return
            self._counted_at = len(self.columns.visits)
            self.failures = self._own.failures()
            self.harvests = topic_harvests(self._own, self.settings.topic)
            self.waiting.update()
            if self.mind.opinion:
                self.waiting.rescore(self.mind.opinion.keys, self.mind.opinion.worth)
            self.counted = True

    def index(self, steps: int | None = None) -> None:
        """Take new texts into the index, all of them or so many steps."""
        with self._indexing:
            self._own_index.update(steps=steps)
            self.index_behind = self._own_index.behind()

    def close(self) -> None:
        """Stop looking and let go of the files."""
        self._over.set()
        self._thread.join()
        self.outlook.close()
        for opened in (self._store, self._own, self._index, self._own_index):
            opened.close()

    def _keep_looking(self) -> None:
        while not self._over.wait(LOOK_EVERY):
            try:
                self.look()
                self.index(INDEX_STEPS)
                if time.monotonic() >= self._count_at:
                    self._count_at = time.monotonic() + COUNT_EVERY
                    self.count()
            except HaenyeoError as error:
                log.warning("could not look at the collection: %s", error)
