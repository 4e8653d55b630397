"""What did the pages of a place live through together? The main lever: siblings changed, so this one did too.

A site is redesigned, a licence line is replaced, a table is generated anew: many pages change within minutes. For each
place (a site, or a section of it) the past is cut into *stretches* and each stretch has a number, the changes a page of
the place is expected to have had then. It begins at the place's usual rate; visits whose interval covers the
stretch move it, up when they found changes and down when not, by expectation maximisation over all that may have caused
a change. A section leans on its site: news from one section makes the others suspect until their own visits clear them.

Stretches are an hour long at first. As they age, neighbours are merged whenever together they are still short for
their age, so that a year takes about a hundred. Sites too small for a row of their own are pooled in row 0, which has
a usual rate but no stretches: strangers do not live through anything together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import numpy.typing as npt

from haenyeo.refresh.choosing import Floats
from haenyeo.refresh.columns import Array, GrowingColumns
from haenyeo.refresh.tide.places import POOL
from haenyeo.refresh.tide.tables import Rows, Table, add_by_row, drawn

_HOURS_A_DAY = 24
_FINENESS = 16  # a merged stretch is at most this part of its age
_SITE_PAGES = 2.0  # visits that the usual rate counts for in a stretch of a site
_SECTION_PAGES = 0.4  # visits that the site counts for in a stretch of a section
_USUAL_DAYS = 400.0  # page-days that the prior counts for in a place's usual rate
_USUAL_RATE = 0.006  # changes a day, before anything was seen
_MEMORY_DAYS = 10.0  # activity comes in spells: the usual rate is that of the last days

Hours = npt.NDArray[np.int64]


class Timeline:
    """The stretches of all places; times are hours since some beginning."""

    def __init__(self, start: int) -> None:
        self._edges: Hours = np.array([start], np.int64)
        self._totals = GrowingColumns({"counts": np.float32, "days": np.float32})
        self._counts: Table = np.zeros((0, 0), np.float32)
        self._pages: Table = np.zeros((0, 0), np.float32)
        self.usual: Table = np.zeros(0, np.float32)
        self._expected: Table = np.zeros((0, 0), np.float32)
        self._since: Table = np.zeros((0, 1), np.float32)
        self._stretch_of: npt.NDArray[np.int32] = np.zeros(1, np.int32)
        self._part_of: Table = np.zeros(1, np.float32)

    @property
    def now(self) -> int:
        """The hour up to which the timeline goes."""
        return int(self._edges[-1])

    @property
    def start(self) -> int:
        """The hour from which the timeline goes."""
        return int(self._edges[0])

    def add_rows(self, count: int) -> None:
        """Add rows for more places."""
        self._totals.extend(count)
        self._counts, self._pages = (np.pad(table, ((0, count), (0, 0))) for table in (self._counts, self._pages))

    def advance(self, hour: int) -> None:
        """Move the timeline's time to this hour, also backwards if the clock was set back."""
        if hour < self.now:
            self._cut(hour)
        if hour == self.now:
            return
        fade = np.float32(np.exp((self.now - hour) / (_HOURS_A_DAY * _MEMORY_DAYS)))
        for name in ("counts", "days"):
            self._totals[name][:] *= fade
        new = [hour] if hour - self.now == 1 else [hour - 1, hour]
        self._edges = np.r_[self._edges, new]
        self._counts, self._pages = (np.pad(table, ((0, 0), (0, len(new)))) for table in (self._counts, self._pages))
        self._merge()

    def refresh(self, parents: Rows, rhythm: Callable[[Hours], Table]) -> None:
        """Compute what is expected of each stretch; `rhythm` gives the factors of hours for all rows."""
        sites = parents == np.arange(len(parents))
        usual = drawn(self._totals["counts"], self._totals["days"], _USUAL_DAYS, _USUAL_RATE)
        usual[~sites] = drawn(
            self._totals["counts"][~sites], self._totals["days"][~sites], _USUAL_DAYS, usual[parents[~sites]]
        )
        widths = np.diff(self._edges)
        days = np.where(widths == 1, rhythm(self._edges[:-1]), widths.astype(np.float32)) / np.float32(_HOURS_A_DAY)
        expected = drawn(self._counts, self._pages, _SITE_PAGES, usual[parents][:, None] * days)
        expected[~sites] = drawn(self._counts[~sites], self._pages[~sites], _SECTION_PAGES, expected[parents[~sites]])
        self.usual, self._expected = usual, expected.astype(np.float32)
        self._since = np.zeros((len(parents), len(widths) + 1), np.float32)
        np.cumsum(self._expected[:, ::-1], axis=1, out=self._since[:, -2::-1])
        self._locate(widths)

    def since(self, rows: Rows, hours: Rows) -> Floats:
        """The changes a page of these rows is expected to have had since these hours."""
        place = hours - self._edges[0]
        stretch = self._stretch_of[place]
        width = self._since.shape[1]
        flat = rows * np.int64(width) + stretch
        start = self._since.ravel()[flat]
        following = self._since.ravel()[np.minimum(flat + 1, self._since.size - 1)]
        result: Floats = start - self._part_of[place] * (start - following)
        return result

    def learn(self, rows: Rows, parents: Rows, hours: Rows, found: Floats, share: Floats) -> tuple[Floats, Floats]:
        """Learn from visits made now to pages last visited at these hours.

        Returns the changes ascribed to the place, and their mean hour.

        `found` is 1 / chance where a change was found and 0 elsewhere, `share` how much a page takes part.
        """
        widths = np.diff(self._edges)
        covered = np.clip((self._edges[1:] - np.maximum(hours[:, None], self._edges[:-1])) / widths, 0, 1)
        pages = covered * share[:, None]
        counts = pages * self._expected[rows] * found[:, None]
        total = counts.sum(axis=1)
        middle = counts @ ((self._edges[1:] + self._edges[:-1]) / 2)
        days = (self.now - hours) / _HOURS_A_DAY
        inner, alone = parents != rows, rows == POOL
        counts[alone], pages[alone] = 0, 0
        for table, values in (
            (self._counts, counts),
            (self._pages, pages),
            (self._totals["counts"], total),
            (self._totals["days"], days),
        ):
            add_by_row(table, rows, values)
            add_by_row(table, parents[inner], values[inner])
        return total, middle / np.maximum(total, np.finfo(np.float64).tiny)

    def rates(self, rows: Rows, hours: Hours) -> Table:
        """The changes expected in each of these hours, one line a row."""
        stretch = self._stretch_of[hours - self._edges[0]]
        result: Table = self._expected[rows][:, stretch] / np.diff(self._edges)[stretch]
        return result

    def rebase(self, hours: int) -> None:
        """Count hours from a later beginning; stretches that lie before it become one."""
        self._edges = self._edges - hours
        while len(self._edges) > 2 and self._edges[1] <= 0:  # noqa: PLR2004  one stretch has two edges
            self._join(np.r_[0, 2 : len(self._edges) - 1])
        self._edges[0] = max(0, int(self._edges[0]))

    def state(self) -> dict[str, Array]:
        """What is kept, by name."""
        tables = {"edges": self._edges, "stretch_counts": self._counts, "stretch_pages": self._pages}
        return {**tables, **self._totals.state()}

    def restore(self, arrays: Mapping[str, Array]) -> None:
        """Take over what `state` gave."""
        self._edges = arrays["edges"]
        self._counts, self._pages = arrays["stretch_counts"], arrays["stretch_pages"]
        self._totals.restore(arrays)

    def _locate(self, widths: Hours) -> None:
        """Note for every hour its stretch, and how much of that stretch lies before it."""
        self._stretch_of = np.repeat(np.arange(len(widths) + 1, dtype=np.int32), np.r_[widths, 1])
        hours = np.arange(self._edges[0], self.now + 1)
        self._part_of = ((hours - self._edges[self._stretch_of]) / np.r_[widths, 1][self._stretch_of]).astype(
            np.float32
        )

    def _merge(self) -> None:
        """Merge neighbours that together are short for their age."""
        starts, place, edges = [], 0, self._edges.tolist()
        while place < len(edges) - 1:
            starts.append(place)
            both = place + 2 < len(edges) - 1
            place += 2 if both and (edges[place + 2] - edges[place]) * _FINENESS <= self.now - edges[place + 2] else 1
        if len(starts) < len(edges) - 1:
            self._join(np.array(starts))

    def _join(self, starts: Hours) -> None:
        """Make one of all stretches from each start to the next."""
        widths = np.diff(self._edges).astype(np.float32)
        self._counts = np.add.reduceat(self._counts, starts, axis=1)
        self._edges = self._edges[np.r_[starts, len(self._edges) - 1]]
        self._pages = np.add.reduceat(self._pages * widths, starts, axis=1) / np.diff(self._edges).astype(np.float32)

    def _cut(self, hour: int) -> None:
        """Forget the stretches that lie after this hour."""
        kept = max(1, int(np.searchsorted(self._edges, hour, side="right")))
        self._edges = np.minimum(self._edges[:kept], max(hour, 0))
        self._counts, self._pages = self._counts[:, : kept - 1], self._pages[:, : kept - 1]
