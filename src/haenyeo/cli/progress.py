"""Progress while a crawl runs: a live view at a terminal, a plain line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from collections import Counter, deque
from collections.abc import Iterable
from types import TracebackType
from typing import TYPE_CHECKING, Protocol, Self

from haenyeo.cli.warning import warning_of
from haenyeo.collect.events import CrawlEnded, CrawlStarted, Event, PageVisited, RetryPlanned
from haenyeo.html.urls import readable
from haenyeo.model.visits import Found

if TYPE_CHECKING:
    from rich.console import RenderableType

PLAIN_EVERY = 10.0  # seconds between two plain lines
VISITS_EVERY = 60.0  # seconds between two lines of the service
RATE_OVER = 10.0  # seconds over which the rate is measured
RECENT = 4  # pages shown
BEST = 4  # finds shown
STEPS = 40  # of the harvest's sparkline
SPARKS = "▁▂▃▄▅▆▇█"
BUSIEST = 5  # sites shown
COMPARED = (Found.CHANGED, Found.NEAR_TEXT, Found.SAME_TEXT, Found.SAME_BYTES, Found.NOT_MODIFIED)
WARNINGS = 3  # the latest


class CrawlTally:
    """What has happened so far, kept from events alone."""

    def __init__(self, goal: int | None) -> None:
        self.goal = goal
        self.began = time.monotonic()
        self.visited = self.counted = self.kept = self.collected = self.bytes = 0
        self.waiting = 0
        self.sites: Counter[str] = Counter()
        self.problems: Counter[str] = Counter()
        self.waits: Counter[str] = Counter()
        self.again: Counter[str] = Counter()
        self.warnings: deque[str] = deque(maxlen=WARNINGS)
        self.recent: deque[PageVisited] = deque(maxlen=RECENT)
        self.best: list[PageVisited] = []
        self._harvest: list[tuple[int, int]] = []  # visited and kept, in steps that double when there are too many
        self._step = 5
        self._times: deque[float] = deque()

    def note(self, event: Event) -> None:
        """Count one event."""
        if isinstance(event, PageVisited):
            self._note_visit(event)
        elif isinstance(event, RetryPlanned):
            self.waits[event.reason] += 1
        elif isinstance(event, CrawlStarted | CrawlEnded):
            self.waiting = event.waiting
            self.collected = event.collected if isinstance(event, CrawlStarted) else event.kept
        elif warning := warning_of(event):
            self.warnings.append(f"{time.strftime('%H:%M')} {warning}")

    def _note_visit(self, event: PageVisited) -> None:
        self.bytes += event.bytes
        self.sites[event.site] += 1
        self._note_time()
        if event.found in COMPARED:
            self.waiting += event.links
            self.again[event.found] += 1
            return
        self.visited += 1
        self.counted += event.counts
        self.kept += event.kept
        self.collected += event.kept
        self.waiting += event.links - 1
        self._note_harvest(event)
        if event.kept:
            self.recent.append(event)
            if not event.example:
                self.best = sorted([*self.best, event], key=lambda find: -(find.relevance or 0.0))[:BEST]
        elif event.reason:
            self.problems[event.reason] += 1

    def _note_time(self) -> None:
        now = time.monotonic()
        self._times.append(now)
        while now - self._times[0] > RATE_OVER:
            self._times.popleft()

    def _note_harvest(self, event: PageVisited) -> None:
        """Count the page in the last step of the harvest."""
        if not self._harvest or self._harvest[-1][0] >= self._step:
            self._harvest.append((0, 0))
        visited, kept = self._harvest[-1]
        self._harvest[-1] = visited + 1, kept + event.kept
        if len(self._harvest) > STEPS:
            pairs = zip(self._harvest[::2], [*self._harvest[1::2], (0, 0)], strict=False)
            self._harvest = [(one[0] + other[0], one[1] + other[1]) for one, other in pairs]
            self._step *= 2

    @property
    def spark(self) -> str:
        """The share of pages kept, from the first page to the last, as a line of bars."""
        return "".join(SPARKS[round(kept / visited * (len(SPARKS) - 1))] for visited, kept in self._harvest)

    @property
    def rate(self) -> float:
        """Pages a second, lately."""
        span = min(RATE_OVER, time.monotonic() - self.began)
        return len(self._times) / span if span > 0 else 0.0

    @property
    def left(self) -> str:
        """How much longer, as far as can be told."""
        todo = max(0, self.waiting)
        if self.goal is not None:
            todo = min(todo, self.goal - self.counted)
        if not self.rate or todo <= 0:
            return ""
        seconds = todo / self.rate
        return f"about {_span(seconds)} left"

    def line(self) -> str:
        """All of it in one line."""
        pages = f"{self.counted} of {self.goal}" if self.goal else str(self.visited)
        parts = [
            f"{pages} pages",
            f"{self.collected} kept",
            f"{self.rate:.1f}/s",
            f"{max(0, self.waiting)} waiting",
        ]
        parts += [f"{len(self.sites)} sites", f"{self.bytes / 1e6:.1f} MB"]
        if self.again:
            parts.append(f"{self.again.total()} visited again")
        if self.problems:
            parts.append(f"{self.problems.total()} without a page")
        return " · ".join([*parts, self.left] if self.left else parts)


class Progress(Protocol):
    """Shows a tally while a command runs."""

    def __enter__(self) -> Self:
        """Begin to show."""
        ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Show no more."""
        ...

    def note(self, event: Event) -> None:
        """Something happened."""
        ...


class Silent:
    """Shows nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def note(self, event: Event) -> None:
        """Ignore it."""


class PlainLines(Silent):
    """Writes a line to standard error every few seconds."""

    def __init__(self, tally: CrawlTally) -> None:
        self._tally = tally
        self._next = time.monotonic() + PLAIN_EVERY

    def note(self, event: Event) -> None:
        """Count it, and say so when it is time."""
        self._tally.note(event)
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + PLAIN_EVERY
            print(self._tally.line(), file=sys.stderr, flush=True)  # noqa: T201 - progress of the command line


class LinesOfVisits(Silent):
    """Writes once a minute what the visits found, and every warning at once."""

    def __init__(self) -> None:
        self._said = time.monotonic()
        self._found: Counter[str] = Counter()

    def note(self, event: Event) -> None:
        """Count a visit, and say what was counted if it is time."""
        if isinstance(event, PageVisited):
            self._found[event.found] += 1
        elif warning := warning_of(event):
            _say_now(warning)
        if time.monotonic() - self._said >= VISITS_EVERY and self._found:
            kinds = ", ".join(f"{count} {found}" for found, count in self._found.most_common())
            _say_now(f"{self._found.total()} visits: {kinds}")
            self._said = time.monotonic()
            self._found.clear()


def _say_now(words: str) -> None:
    print(f"{time.strftime('%Y-%m-%d %H:%M:%S')}  {words}", flush=True)  # noqa: T201 - news of the command line


class LiveView(Silent):
    """A view at the terminal that is drawn anew four times a second."""

    def __init__(self, tally: CrawlTally) -> None:
        from rich.console import Console
        from rich.live import Live

        self._tally = tally
        self._live = Live(console=Console(stderr=True), get_renderable=self._draw, refresh_per_second=4, transient=True)

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def note(self, event: Event) -> None:
        """Count it; the view looks for itself."""
        self._tally.note(event)

    def _draw(self) -> RenderableType:
        from rich.console import Group
        from rich.text import Text

        tally = self._tally
        share = tally.kept / tally.visited if tally.visited else 0.0
        lines: list[RenderableType] = [
            Text(tally.line(), "bold"),
            Text.assemble(("harvest  ", "dim"), (tally.spark, "cyan"), f"  {share:.0%} kept"),
            _pages("best", tally.best),
            _pages("newest", tally.recent),
            _counted("sites", tally.sites, "cyan"),
        ]
        if tally.again:
            lines.append(_counted("again", tally.again, "cyan"))
        if tally.problems:
            lines.append(_counted("no page", tally.problems, "yellow"))
        if tally.waits:
            lines.append(_counted("later", tally.waits, "yellow"))
        lines += [Text.assemble(("warning  ", "dim"), (warning, "red")) for warning in tally.warnings]
        return Group(*lines)


def _counted(title: str, counts: Counter[str], colour: str) -> RenderableType:
    """What came most often, in a line under a title."""
    from rich.text import Text

    most = "  ".join(f"{name} {count}" for name, count in counts.most_common(BUSIEST))
    return Text.assemble((f"{title:<9}", "dim"), (most, colour), no_wrap=True, overflow="ellipsis")


def _pages(title: str, pages: Iterable[PageVisited]) -> RenderableType:
    """Some pages, one a line, under a title."""
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 1))
    for number, page in enumerate(pages):
        worth = "" if page.relevance is None else f"{page.relevance:.2f}"
        table.add_row(
            Text(title if number == 0 else "", "dim"),
            Text(worth or str(page.status), "green"),
            Text(page.title[:50] or "(no title)", no_wrap=True, overflow="ellipsis"),
            Text(readable(page.url)[:70], "dim", no_wrap=True, overflow="ellipsis"),
        )
        table.columns[0].width = 8
    return table


def progress_for(tally: CrawlTally, *, quiet: bool) -> Progress:
    """The view that suits where standard error goes."""
    if quiet:
        return Silent()
    return LiveView(tally) if sys.stderr.isatty() else PlainLines(tally)


def _span(seconds: float) -> str:
    if seconds < 90:  # noqa: PLR2004 - below a minute and a half, seconds read better
        return f"{seconds:.0f} s"
    minutes = seconds / 60
    return f"{minutes:.0f} min" if minutes < 90 else f"{minutes / 60:.1f} h"  # noqa: PLR2004
