"""One search over the indexes of all shards.

A shard's index weighs a word by how rare it is among its own pages. To make scores comparable, each shard's are scaled
by how rare the query's words are among all pages, in proportion to how rare they are in the shard.
"""

from __future__ import annotations

import math
import time
from pathlib import Path

import msgspec

from haenyeo.store.search.index import SearchIndex, Told
from haenyeo.store.search.query import Hits, SearchQuery
from haenyeo.store.search.terms import parse_query
from haenyeo.store.shards.catalogue import Catalogue, shard_folder

LEAST = 1e-6
"""What a word is worth that is on more than half of the pages, as in the index itself."""


class ShardsIndex(SearchIndex):
    """Finds pages in all shards of a collection."""

    def __init__(self, folder: Path) -> None:
        with Catalogue(folder) as catalogue:
            shards = catalogue.owners().shards
        self._indexes = [SearchIndex(shard_folder(folder, shard)) for shard in range(shards)]

    def close(self) -> None:
        """Let go of the files."""
        for index in self._indexes:
            index.close()

    def behind(self) -> int:
        """How many visits the indexes have not looked at yet."""
        return sum(index.behind() for index in self._indexes)

    def unindexed(self) -> int:
        """How many pages have a text that the indexes do not have yet."""
        return sum(index.unindexed() for index in self._indexes)

    def update(
        self, told: Told = lambda _done, _all: None, *, steps: int | None = None, seconds: float | None = None
    ) -> bool:
        """Take in what was fetched since the last time, each shard's share of the time."""
        share = None if seconds is None else seconds / len(self._indexes)
        done = [index.update(told, steps=steps, seconds=share) for index in self._indexes]
        return all(done)

    def find(self, query: SearchQuery) -> Hits:
        """The best matches of all shards."""
        began = time.perf_counter()
        rarities = self._rarities(query)
        wanted = msgspec.structs.replace(query, offset=0, limit=query.offset + query.limit)
        count, found, hits = len(self._indexes), [], []
        for shard, (index, factor) in enumerate(zip(self._indexes, rarities, strict=True)):
            answer = index.find(wanted)
            found.append(answer)
            hits += [
                msgspec.structs.replace(hit, page=hit.page * count + shard, score=hit.score * factor)
                for hit in answer.hits
            ]
        hits.sort(key=lambda hit: (-hit.score, hit.page))
        return Hits(
            hits=tuple(hits[query.offset : query.offset + query.limit]),
            total=sum(answer.total for answer in found),
            more=any(answer.more for answer in found),
            milliseconds=(time.perf_counter() - began) * 1000,
            unindexed=sum(answer.unindexed for answer in found),
        )

    def _rarities(self, query: SearchQuery) -> list[float]:
        """By what each shard's scores are multiplied."""
        parts = [part for part in parse_query(query.words) if not part.unwanted]
        each = [index.frequencies(parts) for index in self._indexes]
        pages = sum(count for count, _ in each)
        having = [sum(counts) for counts in zip(*(counts for _, counts in each), strict=True)]
        whole = sum(rarity(pages, count) for count in having)
        return [whole / max(LEAST, sum(rarity(count, one) for one in counts)) for count, counts in each]


def rarity(pages: int, having: int) -> float:
    """How much a word says that so many of these pages have, as BM25 has it."""
    return max(LEAST, math.log((pages - having + 0.5) / (having + 0.5))) if pages else LEAST
