"""The shards of a collection read as one: every question is put to all of them, or to the one that has the site.

A row's number here is its number in its shard times the number of shards, plus the shard's own; so numbers are unique,
grow with those of each shard, and tell where a row is. Answers are merged as they come: no more of a shard is in memory
than one that is read alone would need.
"""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import numpy as np
import numpy.typing as npt

from haenyeo.html.urls import site_of
from haenyeo.model.pages import Url
from haenyeo.model.visits import Hop, Outcome
from haenyeo.store.reading.links import each_once
from haenyeo.store.records import (
    Counts,
    FailureCounts,
    FoundCounts,
    Inlink,
    LinkBatch,
    ListedPage,
    PageVisit,
    SiteCounts,
    SiteFailure,
    StateStamp,
    StoredEvent,
    StoredFingerprint,
    StoredJudgement,
    StoredLink,
    StoredPage,
    StoredRow,
    StoredVisit,
)
from haenyeo.store.shards.catalogue import FILE_NAME, Catalogue, shard_folder
from haenyeo.store.sqlite import Store

OF_ONE_SHARD = frozenset({"planner", "promise"})  # parts that remember something of their shard's visits
Row = TypeVar("Row", bound=msgspec.Struct)
Answer = TypeVar("Answer")
replace = msgspec.structs.replace


class ShardsStore(Store):
    """A collection in shards, open for reading; whoever writes opens the shard that has the site."""

    def __init__(self, folder: Path) -> None:
        self.folder, self._path, self._lock, self.pending = folder, folder / FILE_NAME, None, 0
        with Catalogue(folder) as catalogue:
            self._owners = catalogue.owners()
        self._stores = [Store.open(shard_folder(folder, n), writing=False) for n in range(self._owners.shards)]

    def shard_of(self, url: str) -> Store:
        """The shard that has an address's site."""
        return self._stores[self._owners.of(site_of(Url(url)))]

    def close(self) -> None:
        """Let go of the files."""
        for store in self._stores:
            store.close()

    def limit_cache(self, kibibytes: int) -> None:
        """Keep at most so much of the databases in memory, all of them together."""
        for store in self._stores:
            store.limit_cache(max(256, kibibytes // len(self._stores)))

    def reopen(self, outcomes: Iterable[Outcome], urls: Iterable[str] = ()) -> int:
        """Let addresses wait again that never brought anything; returns how many."""
        named: dict[int, list[str]] = defaultdict(list)
        for url in urls:
            named[self._owners.of(site_of(Url(url)))].append(url)
        ended, reopened = list(outcomes), 0
        for shard in range(len(self._stores)) if ended else sorted(named):
            with Store.open(shard_folder(self.folder, shard), writing=True) as store:
                reopened += store.reopen(ended, named[shard])
        return reopened

    def forget_states(self, part: str) -> None:
        """Forget all that a part has remembered."""
        for shard in range(len(self._stores)):
            with Store.open(shard_folder(self.folder, shard), writing=True) as store:
                store.forget_states(part)

    def flush(self) -> None:
        """Nothing is ever pending here."""

    def _up(self, number: int, shard: int) -> int:
        return number * len(self._stores) + shard

    def _down(self, number: int) -> tuple[Store, int]:
        return self._stores[number % len(self._stores)], number // len(self._stores)

    def _after(self, number: int, shard: int) -> int:
        """The number in a shard above which its rows are above this one here."""
        return (number - shard) // len(self._stores)

    def _grouped(self, numbers: Iterable[int]) -> Iterator[tuple[int, list[int]]]:
        groups: dict[int, list[int]] = defaultdict(list)
        for number in numbers:
            groups[number % len(self._stores)].append(number // len(self._stores))
        yield from groups.items()

    def _merged(self, ask: Callable[[Store, int], Iterator[Row]], field: str, after: int = 0) -> Iterator[Row]:
        """The rows of all shards in the order of their numbers here, which are in this field."""

        def rows(shard: int, store: Store) -> Iterator[tuple[int, int, Row]]:
            for row in ask(store, self._after(after, shard)):
                number = self._up(getattr(row, field), shard)
                if number > after:
                    yield number, shard, replace(row, **{field: number})

        streams = [rows(shard, store) for shard, store in enumerate(self._stores)]
        return (row for _, _, row in heapq.merge(*streams, key=lambda found: found[:2]))

    def _all(self, ask: Callable[[Store], Iterable[Answer]]) -> list[Answer]:
        return [answer for store in self._stores for answer in ask(store)]

    def page(self, url: str) -> StoredPage | None:
        """What is known about an address."""
        shard = self._owners.of(site_of(Url(url)))
        found = self._stores[shard].page(url)
        return replace(found, id=self._up(found.id, shard)) if found else None

    def page_numbered(self, number: int) -> StoredPage | None:
        """The page of this number."""
        store, local = self._down(number)
        found = store.page_numbered(local)
        return replace(found, id=self._up(found.id, number % len(self._stores))) if found else None

    def newest_page(self) -> int:
        """The highest number of a page."""
        return max(self._up(store.newest_page(), n) if store.newest_page() else 0 for n, store in self._each())

    def pages(self, *, kept_only: bool = True, since: datetime | None = None, after: int = 0) -> Iterator[StoredPage]:
        """The pages, about in the order of their first visits."""
        return self._merged(lambda store, last: store.pages(kept_only=kept_only, since=since, after=last), "id", after)

    def listed_pages(self, numbers: Sequence[int]) -> list[ListedPage]:
        """The pages of these numbers as a list shows them."""
        found = {}
        for shard, local in self._grouped(numbers):
            for page in self._stores[shard].listed_pages(local):
                number = self._up(page.id, shard)
                found[number] = replace(page, id=number)
        return [found[number] for number in numbers if number in found]

    def newest_addresses(self, outcome: Outcome, most: int) -> list[Url]:
        """The addresses whose last visit ended so."""
        return self._all(lambda store: store.newest_addresses(outcome, most))[:most]

    def texts_by_site(self) -> dict[str, list[Url]]:
        """The addresses of the pages that have a text, by site."""
        return {site: urls for store in self._stores for site, urls in store.texts_by_site().items()}

    def fingerprints(self) -> Iterator[StoredFingerprint]:
        """What tells kept pages with the same or nearly the same content."""
        return self._merged(lambda store, _: store.fingerprints(), "page")

    def fingerprints_of(self, numbers: Sequence[int]) -> dict[int, StoredFingerprint]:
        """What tells the same for the pages of these numbers."""
        found = {}
        for shard, local in self._grouped(numbers):
            for page, print_ in self._stores[shard].fingerprints_of(local).items():
                found[self._up(page, shard)] = replace(print_, page=self._up(page, shard))
        return found

    def relevances(self) -> Iterator[dict[str, float]]:
        """How relevant each page that is kept is."""
        for store in self._stores:
            yield from store.relevances()

    def judgements(self, newest: int | None = None) -> Iterator[StoredJudgement]:
        """What is thought of each page that may be kept, or of so many of the newest of each shard."""
        return self._merged(lambda store, _: store.judgements(newest), "page")

    def visits(self, url: str) -> list[StoredVisit]:
        """All visits to an address."""
        shard = self._owners.of(site_of(Url(url)))
        return [self._visit(visit, shard) for visit in self._stores[shard].visits(url)]

    def _visit(self, visit: StoredVisit, shard: int) -> StoredVisit:
        body = None if visit.body_visit is None else self._up(visit.body_visit, shard)
        ref = None if visit.ref is None else self._up(visit.ref, shard)
        return replace(visit, id=self._up(visit.id, shard), body_visit=body, ref=ref)

    def page_visits(self, after: int = 0) -> Iterator[PageVisit]:
        """The visits to addresses that stand in the collection; all of them in the order in which they were made."""

        def made(shard: int, store: Store) -> Iterator[PageVisit]:
            return (replace(visit, visit=self._up(visit.visit, shard)) for visit in store.page_visits())

        made_in_turn = heapq.merge(*(made(*each) for each in self._each()), key=lambda visit: visit.at)
        return made_in_turn if not after else self._merged(lambda store, last: store.page_visits(last), "visit", after)

    def archives(self) -> list[tuple[Path, int]]:
        """The files of all archives."""
        return self._all(lambda store: store.archives())

    def closed_archives(self) -> list[Path]:
        """The files of all archives that are never written again."""
        return self._all(lambda store: store.closed_archives())

    def response(self, visit: StoredVisit) -> Hop:
        """The server's response as the archive has it."""
        return self._down(visit.id)[0].response(self._own(visit))

    def payload(self, visit: StoredVisit) -> Hop:
        """The response that brought the visit's payload."""
        return self._down(visit.id)[0].payload(self._own(visit))

    def _own(self, visit: StoredVisit) -> StoredVisit:
        """A visit as its shard knows it."""
        body = None if visit.body_visit is None else self._down(visit.body_visit)[1]
        return replace(visit, id=self._down(visit.id)[1], body_visit=body)

    def links(self, refs: Sequence[int]) -> list[StoredLink]:
        """The links of these numbers."""
        found = {}
        for shard, local in self._grouped(refs):
            for link in self._stores[shard].links(local):
                found[self._up(link.ref, shard)] = replace(link, ref=self._up(link.ref, shard))
        return [found[ref] for ref in refs]

    def link_batches(self, after: int = -1) -> Iterator[LinkBatch]:
        """All links found, as columns, shard by shard."""
        count = len(self._stores)
        for shard, store in self._each():
            for batch in store.link_batches(after=self._after(after, shard) if after >= 0 else -1):
                yield replace(
                    batch, refs=batch.refs * count + shard, sites=(batch.sites * count + shard).astype(np.uint32)
                )

    def link_hashes(self, after: int = -1) -> Iterator[tuple[int, npt.NDArray[np.int64]]]:
        """The number of the first new link of each page, and the hashes of its new links."""
        for shard, store in self._each():
            for first, hashes in store.link_hashes(self._after(after, shard) if after >= 0 else -1):
                yield self._up(first, shard), hashes

    def found_count(self) -> int:
        """How many links were ever found."""
        return sum(store.found_count() for store in self._stores)

    def finished(self) -> npt.NDArray[np.uint64]:
        """The hashes of all addresses that were dealt with."""
        return np.sort(np.concatenate([store.finished().view(np.int64) for store in self._stores])).view(np.uint64)

    def sites(self) -> dict[int, str]:
        """The names of all sites by number; a site that others link to may have several."""
        return {self._up(number, n): name for n, store in self._each() for number, name in store.sites().items()}

    def inlinks(self, url: str) -> list[Inlink]:
        """The pages that link to an address."""
        return each_once(self._all(lambda store: store.inlinks(url)))

    def state(self, part: str, key: str) -> bytes | None:
        """What a part has remembered under this key, in the first shard that knows it, if it is not of that alone."""
        if part in OF_ONE_SHARD:
            return None
        return next((value for store in self._stores if (value := store.state(part, key)) is not None), None)

    def states(self, part: str) -> Iterator[tuple[str, bytes]]:
        """All that a part has remembered, by key."""
        known: set[str] = set()
        for store in self._stores:
            for key, value in store.states(part):
                if key not in known:
                    known.add(key)
                    yield key, value

    def first_states(self, part: str, most: int, after: str = "") -> list[tuple[str, bytes]]:
        """What a part has remembered under the first so many keys."""
        return sorted(self._all(lambda store: store.first_states(part, most, after)))[:most]

    def state_count(self, part: str) -> int:
        """Under how many keys a part has remembered something, in all shards."""
        return sum(store.state_count(part) for store in self._stores)

    def last_key(self, part: str) -> str:
        """The last key under which a part has remembered something."""
        return max(store.last_key(part) for store in self._stores)

    def state_keys(self, part: str, containing: str, most: int) -> list[str]:
        """The keys with these letters."""
        return list(dict.fromkeys(self._all(lambda store: store.state_keys(part, containing, most))))[:most]

    def state_stamps(self, part: str) -> list[StateStamp]:
        """What tells whether a part has remembered anything else since."""
        return self._all(lambda store: store.state_stamps(part))

    def events(self, since: datetime | None = None, after: int = 0) -> Iterator[StoredEvent]:
        """The events, about in the order in which they happened."""
        return self._merged(lambda store, last: store.events(since, last), "id", after)

    def rows(self, rule: str) -> list[StoredRow]:
        """The records that a rule has taken, in the order they were first seen."""
        return sorted(self._all(lambda store: store.rows(rule)), key=lambda row: row.first_at)

    def row_counts(self) -> dict[str, int]:
        """How many records each rule has taken."""
        return dict(sum((Counter(store.row_counts()) for store in self._stores), Counter()))

    def counts(self) -> Counts:
        """The collection in numbers."""
        each = [store.counts() for store in self._stores]
        outcomes = sum((Counter(counts.outcomes) for counts in each), Counter[str]())
        names = [name for name in Counts.__struct_fields__ if name != "outcomes"]
        return Counts(
            **{name: sum(getattr(counts, name) for counts in each) for name in names}, outcomes=dict(outcomes)
        )

    def site_counts(self) -> list[SiteCounts]:
        """Every site that ever brought content, in numbers."""
        found = self._all(lambda store: store.site_counts())
        return sorted(found, key=lambda site: (-site.kept, -site.fetched, site.site))

    def failures(self) -> list[FailureCounts]:
        """Why addresses brought no page, the most frequent reason first."""
        summed: dict[tuple[Outcome, str], FailureCounts] = {}
        for row in self._all(lambda store: store.failures()):
            known = summed.get((row.outcome, row.reason))
            summed[row.outcome, row.reason] = (
                replace(known, pages=known.pages + row.pages, example=min(known.example, row.example)) if known else row
            )
        return sorted(summed.values(), key=lambda row: (-row.pages, row.outcome.value, row.reason))

    def site_failures(self, site: int, most: int) -> list[SiteFailure]:
        """Why addresses of the site of this number brought no page."""
        store, local = self._down(site)
        return store.site_failures(local, most)

    def harvest(self, points: int = 200) -> list[tuple[int, int]]:
        """Pairs of pages fetched and pages kept among them, as if all shards had gone at one pace."""
        each = [[(0, 0), *store.harvest(points)] for store in self._stores]
        share = np.linspace(0, 1, points + 1)[1:]
        fetched = sum(np.interp(share, np.linspace(0, 1, len(e)), [pair[0] for pair in e]) for e in each)
        kept = sum(np.interp(share, np.linspace(0, 1, len(e)), [pair[1] for pair in e]) for e in each)
        pairs = dict(zip(np.round(fetched).astype(int).tolist(), np.round(kept).astype(int).tolist(), strict=True))
        return [pair for pair in pairs.items() if pair[0]]

    def newest_visit(self) -> int:
        """The highest number of a visit."""
        return max(self._up(store.newest_visit(), n) if store.newest_visit() else 0 for n, store in self._each())

    def answers_since(self, visit: int, apart: str) -> int:
        """How many visits after the one of this number followed a link and were answered."""
        return sum(store.answers_since(self._after(visit, n), apart) for n, store in self._each())

    def found_counts(self, since: datetime | None = None) -> list[FoundCounts]:
        """What visits found, how many and of how many bytes."""
        summed: dict[str, FoundCounts] = {}
        for row in self._all(lambda store: store.found_counts(since)):
            known = summed.get(row.found.value)
            summed[row.found.value] = (
                replace(known, visits=known.visits + row.visits, bytes=known.bytes + row.bytes) if known else row
            )
        return sorted(summed.values(), key=lambda row: -row.visits)

    def page_columns(self, after: int, most: int) -> list[tuple[Any, ...]]:
        """The pages with numbers above `after` as rows for `CollectionColumns`."""
        return self._columns(lambda store, last: store.page_columns(last, most), after, (0, 1))[:most]

    def page_columns_of(self, numbers: Iterable[int]) -> list[tuple[Any, ...]]:
        """The pages of these numbers as rows for `CollectionColumns`."""
        rows = []
        for shard, local in self._grouped(numbers):
            rows += [self._raised(row, shard, (0, 1)) for row in self._stores[shard].page_columns_of(local)]
        return sorted(rows)

    def visit_columns(self, after: int, most: int) -> list[tuple[Any, ...]]:
        """The visits with numbers above `after` as rows for `CollectionColumns`."""
        return self._columns(lambda store, last: store.visit_columns(last, most), after, (0, 1, 5))[:most]

    def _columns(
        self, ask: Callable[[Store, int], list[tuple[Any, ...]]], after: int, numbers: tuple[int, ...]
    ) -> list[tuple[Any, ...]]:
        rows = [self._raised(row, n, numbers) for n, store in self._each() for row in ask(store, self._after(after, n))]
        return sorted((row for row in rows if row[0] > after), key=lambda row: row[0])

    def _raised(self, row: tuple[Any, ...], shard: int, numbers: tuple[int, ...]) -> tuple[Any, ...]:
        return tuple(
            self._up(value, shard) if place in numbers and value is not None else value
            for place, value in enumerate(row)
        )

    def _each(self) -> Iterator[tuple[int, Store]]:
        return enumerate(self._stores)
