"""What can be asked of a collection in Python, and what it can be told: the commands as methods.

Those that ask servers or take long come twice: plain, for scripts and notebooks, and with `_async`, to be awaited. The
others answer from the disk within milliseconds, and are called the same way where an event loop runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from haenyeo.collect.plain_calls import finished
from haenyeo.html.urls import meant_by
from haenyeo.model.config import Settings
from haenyeo.model.errors import NotThereError, UsageError
from haenyeo.model.pages import Url
from haenyeo.store import Store, StoredPage

if TYPE_CHECKING:
    from haenyeo.collect.adapters.finding.explain import Explanation
    from haenyeo.collect.adapters.finding.handing import Correction
    from haenyeo.collect.adapters.watching.changes import Change
    from haenyeo.collect.adapters.watching.watchlist import WatchedPage
    from haenyeo.collect.events import RefreshEnded
    from haenyeo.collect.exporting.whole import Exported
    from haenyeo.collect.overview import Overview
    from haenyeo.collect.service.forecast import Forecast
    from haenyeo.store.search import Hits

ExportKind = Literal["jsonl", "csv", "markdown", "parquet", "wacz", "chunks"]
_EVERY = timedelta(hours=6)


class Verbs:
    """The commands of an opened collection."""

    folder: Path
    settings: Settings
    store: Store

    def search(self, query: str, *, site: str = "", language: str = "", limit: int = 10) -> Hits:
        """Pages whose text has all words of the query, the best first; new pages are taken into the index before."""
        from haenyeo.store.search import SearchQuery
        from haenyeo.store.shards.opening import open_index

        self._commit()
        with open_index(self.folder) as index:
            index.update()
            return index.find(SearchQuery(words=query, site=site, language=language, limit=limit))

    def page(self, url: str) -> StoredPage:
        """The page at an address; raises `NotThereError` if there is none."""
        for address in _addresses(url):
            found = self.store.page(address)
            if found is not None:
                return found
        raise NotThereError(f"the collection has no page at {url}", advice=f"ask why: haenyeo why {self.folder} {url}")

    def why(self, url: str) -> Explanation:
        """What became of an address, and why: kept, read, refused, failed, waiting, outside or unknown."""
        from haenyeo.collect.adapters.finding.explain import explain

        told = [explain(self.store, self.settings, address) for address in _addresses(url)]
        return next((each for each in told if each.state not in ("unknown", "outside")), told[-1])

    def judge(self, url: str, *, relevant: bool, topic: str = "") -> Correction:
        """Tell whether a page is on the topic; pages that were kept, or not, because of an error are judged again."""
        from haenyeo.collect.adapters.correcting.judging import judge_opened

        known = (address for address in _addresses(url) if self.store.page(address) is not None)
        address = next(known, None) or _addresses(url)[-1]
        return judge_opened(self.store, self.settings, address, relevant=relevant, topic=topic)

    def changes(self, *, since: datetime | None = None, kinds: Sequence[str] = ()) -> list[Change]:
        """What visits found changed, first to last: content, layout, repair, broken, relearn, trouble, back."""
        from haenyeo.collect.adapters.watching.changes import restored

        events = (event for event in self.store.events(since=since) if not kinds or event.kind in kinds)
        return [change for event in events if (change := restored(event)) is not None]

    def records(self, rule: str) -> list[dict[str, str]]:
        """The records that a rule has taken from its lists."""
        return [row.fields for row in self.store.rows(rule)]

    def rules(self) -> list[str]:
        """The names of the rules that take records."""
        from haenyeo.collect.adapters.watching.shelf import Shelf

        return [saved.name for saved in Shelf(self.store)]

    def status(self) -> Overview:
        """What the collection holds, in numbers."""
        from haenyeo.collect.overview import overview_of

        return overview_of(self.store, self.settings)

    def plan(self, *, per_day: float | None = None) -> Forecast:
        """The coming week of revisits, with this budget or that of the settings."""
        from haenyeo.collect.service.forecast import Forecaster
        from haenyeo.collect.service.planning import memory_of

        budget = per_day or self.settings.refresh.per_day
        memory = memory_of(self.store, self.settings, budget)
        return Forecaster(self.settings, memory.planner.dump(), budget).week(datetime.now(UTC).timestamp())

    async def refresh_async(self, *, per_day: float | None = None) -> RefreshEnded:
        """Visit again what is due now, within the budget."""
        from haenyeo.collect.crawl.assembly import parts_of
        from haenyeo.collect.service.planning import memory_of
        from haenyeo.collect.service.refresher import Refresher

        memory = memory_of(self.store, self.settings, per_day)
        async with parts_of(self.store, self.settings) as parts:
            return await Refresher(parts, memory).run_once()

    def refresh(self, *, per_day: float | None = None) -> RefreshEnded:
        """Visit again what is due now, within the budget."""
        return finished(self.refresh_async(per_day=per_day))

    async def watch_async(
        self, urls: Sequence[str] = (), *, every: timedelta = _EVERY, queries: Sequence[str] = (), pages: int = 2
    ) -> list[WatchedPage]:
        """Put pages and result lists under watch, visit what is due, and return all with how they answered."""
        from haenyeo.collect.adapters.watching.watchlist import Watchlist, watched_page
        from haenyeo.collect.crawl.assembly import parts_of
        from haenyeo.collect.service.rounds import Round

        watchlist, now = Watchlist(self.store), datetime.now(UTC)
        for url in urls:
            watchlist.put(watched_page(url, tuple(queries), every, pages, now))
        due = watchlist.due(datetime.now(UTC))
        async with parts_of(self.store, self.settings) as parts:
            for page in due:
                await Round(parts).visit_watched(watchlist, page)
        self.store.flush()
        return list(watchlist)

    def watch(
        self, urls: Sequence[str] = (), *, every: timedelta = _EVERY, queries: Sequence[str] = (), pages: int = 2
    ) -> list[WatchedPage]:
        """Put pages and result lists under watch, visit what is due, and return all with how they answered."""
        return finished(self.watch_async(urls, every=every, queries=queries, pages=pages))

    def export(
        self,
        to: ExportKind,
        out: Path | str | None = None,
        *,
        dedup: Literal["", "mark", "drop"] = "",
        since: datetime | None = None,
        chunk_size: int | None = None,
        chunk_tokens: int | None = None,
    ) -> Exported:
        """Write the pages for other programs, with a card that says what they are.

        Chunks have `chunk_size` characters at most (2,000 unless told), or `chunk_tokens` tokens; they are Parquet if
        `out` ends with `.parquet`. With `since` only what of them is to be added and removed since then is written.
        """
        from haenyeo.collect.exporting.chunk_sizes import CHARACTERS, ChunkSize
        from haenyeo.collect.exporting.whole import ExportWish, write_collection

        self._commit()
        size = ChunkSize(chunk_tokens, "tokens") if chunk_tokens else ChunkSize(chunk_size or CHARACTERS)
        wish = ExportWish(kind=to, dedup=dedup, since=since, chunk_size=size)
        return write_collection(self.store, self.settings, wish, None if out is None else Path(out))

    def to_arrow(self, *, rows: int = 1000) -> Any:
        """The pages as a stream of Arrow record batches (`pyarrow.RecordBatchReader`), so many rows at a time."""
        from haenyeo.collect.exporting.tables import arrow_batches

        return arrow_batches(self._rows(), rows)

    def to_pandas(self) -> Any:
        """The pages as a pandas DataFrame."""
        return self.to_arrow().read_pandas()

    def _rows(self) -> Iterator[Any]:
        from haenyeo.collect.adapters.reading.stored import StoredReader

        reader = StoredReader(self.store, self.settings.strategy.extractor, self.settings.parts)
        return ((page, reader.described(page)) for page in self.store.pages(kept_only=True))

    def _commit(self) -> None:
        if self.store.pending:
            self.store.flush()

    def _repr_html_(self) -> str:
        from haenyeo.collect.notebook_cards import collection_card

        return collection_card(self.store, self.settings)


def _addresses(url: str) -> list[Url]:
    found = list(meant_by(url))
    if not found:
        raise UsageError(f"{url!r} is not an http or https address")
    return found
