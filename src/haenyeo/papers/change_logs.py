"""Change logs for the experiment of Cho, Lee & Choi 2013.

A log is a file of JSON lines, plain or gzip, each {"url", "site", "window": [start, end], "changes": [...], "born"?},
times in unix seconds, the windows of all sites equally long. Without data the demo web's own log is taken, twelve weeks
of it.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from haenyeo.model.errors import UsageError
from haenyeo.refresh.replay import DAY, HOUR, ChangeLog, PageHistory

WEEK = 7 * DAY
DEMO_WEEKS = 12


def read_log(path: Path) -> ChangeLog:
    """The change log in a file; every window is moved to a common Monday."""
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
    pages, length = [], 0
    for number, line in enumerate(text.splitlines(), 1):
        try:
            page, seconds = _history(json.loads(line))
        except (ValueError, KeyError, TypeError) as error:
            raise UsageError(
                f"{path}, line {number} is no page of a change log: {error!r}",
                advice='write {"url", "site", "window": [start, end], "changes": [...]} in each line',
            ) from error
        pages.append(page)
        length = max(length, seconds)
    return ChangeLog(pages, length)


def _history(page: dict[str, Any]) -> tuple[PageHistory, int]:
    """The history of a page and the length of its window; it becomes known at the first full hour of its life."""
    start, end = page["window"]
    changes = sorted(int(at - start) for at in page["changes"] if start < at < end)
    born = max(0, -(-(page.get("born", start) - start) // HOUR) * HOUR)
    return PageHistory(page["url"], page["site"], int(born), tuple(changes)), int(end - start)


def demo_log(note: Callable[[str], None]) -> ChangeLog:
    """The change log of the demo web."""
    from haenyeo.demo import DemoWeb
    from haenyeo.demo.clock import EPOCH

    web = DemoWeb()
    note("reading the demo web's own history")
    pages = []
    for url in web.urls():
        changes = web.changes(url, 0, DEMO_WEEKS * WEEK)
        told = sorted({change.at for change in changes if change.what in ("content", "comments")})
        pages.append(PageHistory(url, url.split("/", 3)[2], 0, tuple(told)))
    return ChangeLog(pages, DEMO_WEEKS * WEEK, int(EPOCH.timestamp()))
