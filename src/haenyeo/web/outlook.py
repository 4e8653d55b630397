"""The coming week of revisits, worked out beside the views: a planner of many pages needs seconds to look ahead."""

from __future__ import annotations

import logging
import threading
import time
from pathlib import Path

from haenyeo.collect.service.forecast import Forecast, Forecaster
from haenyeo.collect.service.planning import memory_of, wanted_share
from haenyeo.model.config import Settings
from haenyeo.model.errors import HaenyeoError
from haenyeo.store.shards.opening import open_store

log = logging.getLogger(__name__)

GOOD_FOR = 60.0  # seconds after which a look ahead is made anew, when something was visited since


class Outlook:
    """Looks ahead when it is asked and something has changed; the answer is the last one that is ready."""

    def __init__(self, folder: Path, settings: Settings) -> None:
        self._folder, self._settings = folder, settings
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._made_at, self._visits = 0.0, -1
        self.forecast: Forecast | None = None
        self.by_budget: tuple[tuple[float, float], ...] | None = None
        self.trouble = ""

    def ask(self, visits: int) -> Forecast | None:
        """The last look ahead, None while the first is being made; `visits` tells whether it still holds."""
        with self._lock:
            busy = self._thread is not None and self._thread.is_alive()
            stale = visits != self._visits and time.monotonic() >= self._made_at + GOOD_FOR
            if not busy and (stale or self._visits < 0):
                self._visits = visits
                self._thread = threading.Thread(target=self._look, name="haenyeo outlook", daemon=True)
                self._thread.start()
        return self.forecast

    def close(self) -> None:
        """Wait for a look that is under way."""
        if self._thread is not None:
            self._thread.join()

    def _look(self) -> None:
        try:
            with open_store(self._folder, writing=False) as store:
                per_day, share = float(self._settings.refresh.per_day), wanted_share(self._settings)
                memory = memory_of(store, self._settings)
                ahead, now = Forecaster(self._settings, memory.planner.dump(), per_day, share), time.time()
            self.forecast = ahead.week(now)
            self.by_budget = ahead.freshness_by_budget(now, self.forecast)
            self.trouble = ""
        except HaenyeoError as error:
            log.warning("could not look ahead: %s", error)
            self.trouble = str(error)
        self._made_at = time.monotonic()
