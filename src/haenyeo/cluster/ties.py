"""How a shard is tied to the others: through the collection's folder alone, or through something that carries messages.

A batch of links is handed over by putting it into the other shard's inbox as a file, whole or not at all: from then on
it is as safe as what the sender has committed, whether the other shard runs or not. Reports and orders are facts in the
catalogue. So a shard needs nobody to be there, and a coordinator that comes back finds everything where it was.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from haenyeo.cluster.messages import ShardOrders, ShardReport, encode, read_orders
from haenyeo.store.shards.catalogue import Catalogue, shard_folder

INBOX = "inbox"
ENDING = ".links"
MOST_FILES = 200
"""Batches that wait for a shard before nothing more is put into its inbox: senders keep theirs, and slow down."""
MOST_UNSENT = 2_000
"""Pages whose links wait to be sent, before their shard pauses."""

REPORT, ORDERS, RUN = "report", "orders", "run"


class Ties(Protocol):
    """What a shard needs of the others."""

    async def report(self, report: ShardReport) -> ShardOrders | None:
        """Tell how the shard stands; returns its orders, None if nobody gives any now."""
        ...

    async def send(self, shard: int, name: str, batch: bytes) -> bool:
        """Hand links over to another shard; True once they are safe there. The name is the same when sent again."""
        ...

    def arrived(self, most: int) -> Iterator[tuple[str, bytes]]:
        """Batches that others have left, oldest first, with the names to `settle` them by."""
        ...

    def settle(self, names: list[str]) -> None:
        """These batches are safe in the shard's own database."""
        ...


class FolderTies:
    """Ties through the folder of a collection that all shards can reach."""

    def __init__(self, folder: Path, number: int) -> None:
        self._folder, self._number = folder, number
        self._catalogue = Catalogue(folder)
        self._inbox = inbox_of(folder, number)
        self._inbox.mkdir(exist_ok=True)

    def close(self) -> None:
        """Let go of the catalogue."""
        self._catalogue.close()

    async def report(self, report: ShardReport) -> ShardOrders | None:
        """Note the report in the catalogue, and read the orders there."""
        self._catalogue.put([(f"{REPORT}/{self._number:04d}", encode(report))])
        orders = self._catalogue.get(f"{ORDERS}/{self._number:04d}")
        return read_orders(orders) if orders else None

    async def send(self, shard: int, name: str, batch: bytes) -> bool:
        """Put the batch into the other's inbox, unless that is full, or lost."""
        inbox = inbox_of(self._folder, shard)
        try:
            if waiting(inbox) >= MOST_FILES:
                return False
            put_batch(inbox, f"{self._number:04d}-{name}", batch)
        except FileNotFoundError:
            return False
        return True

    def arrived(self, most: int) -> Iterator[tuple[str, bytes]]:
        """The first batches in the inbox."""
        for path in sorted(self._inbox.glob(f"*{ENDING}"))[:most]:
            yield path.name, path.read_bytes()

    def settle(self, names: list[str]) -> None:
        """Take the batches out of the inbox."""
        for name in names:
            (self._inbox / name).unlink(missing_ok=True)


def inbox_of(folder: Path, number: int) -> Path:
    """Where others leave links for a shard."""
    return shard_folder(folder, number) / INBOX


def put_batch(inbox: Path, name: str, batch: bytes) -> None:
    """Leave a batch in an inbox, whole or not at all."""
    unfinished = inbox / f"{name}.part"
    unfinished.write_bytes(batch)
    unfinished.replace(inbox / f"{name}{ENDING}")


def waiting(inbox: Path) -> int:
    """How many batches wait in an inbox."""
    return sum(path.name.endswith(ENDING) for path in inbox.iterdir())
