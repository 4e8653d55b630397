"""Links that a shard has taken in since its last snapshot, put where the snapshots are before they are acknowledged.

A sender forgets its links once they are acknowledged, so they must be as safe by then as the shard itself: they stand
in a file beside its snapshots until one has them. The shard that takes them in writes it, or the sender if it leaves
them in an inbox. Files are read again when the shard is made anew; a link that comes twice changes nothing.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from pathlib import Path

import msgspec

from haenyeo.cluster.snapshots.manifests import ShardAddress
from haenyeo.cluster.ties import ENDING, FolderTies
from haenyeo.model.errors import StoreError

log = logging.getLogger(__name__)

_NAME = "links-"
_batches = msgspec.msgpack.Decoder(list[bytes])


class LinkJournal:
    """The journal of one life of a shard."""

    def __init__(self, address: ShardAddress, life: str) -> None:
        self._address, self._life = address, life
        self._waiting: list[bytes] = []
        self._asked = self._written = 0
        self._turn = asyncio.Lock()
        self._names: list[str] = []

    async def keep(self, batch: bytes) -> None:
        """Return once a batch, committed before, is safe; those that come while others are written go together.

        Raises `StoreError` if it could not be written; it is not safe then.
        """
        self._waiting.append(batch)
        self._asked += 1
        mine = self._asked
        async with self._turn:
            if self._written >= mine:
                return
            waiting, upto = len(self._waiting), self._asked
            name = f"{_NAME}{self._life}-{upto:08d}"
            await asyncio.to_thread(self._address.put, name, msgspec.msgpack.encode(self._waiting))
            del self._waiting[:waiting]
            self._written = upto
            self._names.append(name)

    def note(self, batches: Iterable[str]) -> None:
        """Batches of these names, written here by their senders, are in the shard's database now."""
        self._names += [f"{_NAME}{name}" for name in batches]

    def taken_up(self) -> list[bytes]:
        """The batches that are there from before; they are forgotten with the next snapshot."""
        found = self._address.names(_NAME)
        self._names += found
        return [batch for name in found for batch in _batches.decode(self._address.read(name))]

    def written(self) -> list[str]:
        """The files that a snapshot which is begun now will have."""
        return list(self._names)

    def forget(self, names: list[str]) -> None:
        """A snapshot has what is in these files."""
        self._address.remove(names)
        self._names = [name for name in self._names if name not in names]


class CopiedTies(FolderTies):
    """Ties through a folder whose shards have snapshots elsewhere: what is left in an inbox is written there, too."""

    def __init__(self, folder: Path, number: int, archive: str, division: str) -> None:
        super().__init__(folder, number)
        self._archive, self._division, self._from = archive, division, number
        self._places: dict[int, ShardAddress] = {}

    async def send(self, shard: int, name: str, batch: bytes) -> bool:
        """Write the batch where the other's snapshots are, and put it into its inbox; False if either fails."""
        if shard not in self._places:
            self._places[shard] = ShardAddress(self._archive, self._division, shard)
        kept = f"{_NAME}{self._from:04d}-{name}{ENDING}"
        try:
            await asyncio.to_thread(self._places[shard].put, kept, msgspec.msgpack.encode([batch]))
        except StoreError as error:
            log.warning("links cannot be handed over: %s", error)
            return False
        if await super().send(shard, name, batch):
            return True
        await asyncio.to_thread(self._places[shard].remove, [kept])  # they are sent again, with others
        return False
