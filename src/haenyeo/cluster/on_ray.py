"""Shards as actors of a Ray cluster, on any of its machines.

Ray starts the actors, brings them back when a process or a machine dies, and carries what they tell each other: links
go straight from one shard's actor to another's, reports and orders through an actor beside the coordinator, which alone
opens the catalogue. Actors outlive the coordinator in a cluster that was there before it; the next one finds them.

Or the machines share no folder: shards are kept on the disk of the machine that their actor runs on, and an actor that
Ray brings back on another machine makes its shard anew there from the last snapshot. In the end all are brought home.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import ray
from ray.exceptions import RayError
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from haenyeo.cluster.layout import equip_shard, put_file
from haenyeo.cluster.learning.sums import TOLD
from haenyeo.cluster.messages import ShardOrders, ShardReport, encode, read_orders, read_run
from haenyeo.cluster.shard import ShardCrawl
from haenyeo.cluster.snapshots.manifests import ShardAddress
from haenyeo.cluster.snapshots.mirror import Files, Mirror, NodeNews, changed_files, place_on
from haenyeo.cluster.snapshots.restoring import bring_home, come_back, send_out, settle_in
from haenyeo.cluster.snapshots.taking import is_copied
from haenyeo.cluster.ties import ORDERS, REPORT, RUN
from haenyeo.collect.settings_file import read_settings
from haenyeo.model.errors import UsageError
from haenyeo.store.lock import WriterLock
from haenyeo.store.shards.catalogue import Catalogue, shard_folder

LOCAL = "local"
"""In place of a cluster's address: one that is started here, and ends with the crawl."""
CALLS_AT_ONCE = 64  # of one actor
PATIENCE = 20.0  # seconds that a message to another actor may take
WAIT_FOR_DESK = 1.0  # seconds between two tries to hear of the collection at all


class ReportDesk:
    """Opens the catalogue for shards on other machines."""

    def __init__(self, folder: str) -> None:
        self._folder = Path(folder)
        self._catalogue = Catalogue(self._folder)

    def report(self, shard: int, report: bytes) -> bytes | None:
        """Note a shard's report; returns its orders."""
        self._catalogue.put([(f"{REPORT}/{shard:04d}", report)])
        return self._catalogue.get(f"{ORDERS}/{shard:04d}")

    def exchange(self, shard: int, news: NodeNews) -> Files:
        """Note what a shard elsewhere has learnt; returns what it does not have yet of the collection's files."""
        if news.learnt is not None:
            put_file(shard_folder(self._folder, shard) / TOLD, news.learnt)
        return changed_files(self._folder, news.times)


class RayTies:
    """Ties of a shard through Ray; with a mirror, files of the collection's folder as well."""

    def __init__(self, folder: Path, number: int, mirror: Mirror | None = None) -> None:
        self._folder, self._number, self._mirror = folder, number, mirror

    async def report(self, report: ShardReport) -> ShardOrders | None:
        """Tell the desk; None while there is none."""
        orders = await self._asked("report", encode(report))
        if self._mirror is not None:
            await self.exchange(self._mirror)
        return read_orders(orders) if orders else None

    async def exchange(self, mirror: Mirror) -> bool:
        """Bring what the shard has learnt to the collection's folder, and what is new there here; False if it fails."""
        files = await self._asked("exchange", mirror.news())
        if files is None:
            return False
        mirror.take(files)
        return True

    async def _asked(self, method: str, told: Any) -> Any:
        """What the desk answers; None while there is none."""
        try:
            desk = ray.get_actor(_name(self._folder, "desk"))
            return await asyncio.wait_for(getattr(desk, method).remote(self._number, told), PATIENCE)
        except (ValueError, RayError, TimeoutError):
            return None

    async def send(self, shard: int, name: str, batch: bytes) -> bool:
        """Hand the links to the other's actor; False if it is not there now."""
        del name
        try:
            other = ray.get_actor(_name(self._folder, shard))
            return bool(await asyncio.wait_for(other.take_in.remote(batch), PATIENCE))
        except (ValueError, RayError, TimeoutError):
            return False

    def arrived(self, most: int) -> Iterator[tuple[str, bytes]]:
        """Nothing is left anywhere: others hand their links over themselves."""
        del most
        return iter(())

    def settle(self, names: list[str]) -> None:
        """Nothing was left anywhere."""


class ShardActor:
    """Works on one shard, in whatever process and on whatever machine Ray puts it."""

    def __init__(self, folder: str, number: int, run: bytes, buckets: bytes) -> None:
        self._folder, self._number, self._run, self._buckets = Path(folder), number, run, buckets
        self._shard: ShardCrawl | None = None
        self._working: asyncio.Task[Any] | None = None

    async def work(self, disk: str) -> None:
        """Crawl until the orders say to stop, on this machine's disk if it is named; a second call waits for the same.

        A shard that was on the disk of another machine is made anew here. One that has failed is tried again.
        """
        if self._working is None or _has_failed(self._working):
            self._working = asyncio.ensure_future(self._worked(disk))
        await asyncio.shield(self._working)

    async def take_in(self, batch: bytes) -> bool:
        """Store links of another shard; True once they are safe."""
        return self._shard is not None and await self._shard.take_in(batch)

    async def _worked(self, disk: str) -> None:
        mirror = Mirror(place_on(disk, self._folder), self._number) if disk else None
        ties = RayTies(self._folder, self._number, mirror)
        folder = self._folder if mirror is None else mirror.folder
        while mirror is not None and not await ties.exchange(mirror):  # noqa: ASYNC110 - another process is waited for
            await asyncio.sleep(WAIT_FOR_DESK)
        storage, run = read_settings(folder).storage, read_run(self._run)
        if mirror is None:
            await asyncio.to_thread(come_back, folder, self._number, run.division, storage)
        else:
            place = ShardAddress(storage.archive, run.division, self._number)
            await asyncio.to_thread(settle_in, shard_folder(folder, self._number), place)
            equip_shard(folder, self._number)
        owners = Catalogue.owners_of(self._buckets)
        self._shard = ShardCrawl(folder, self._number, owners, ties, run)
        await self._shard.work()


class RayCrew:
    """Runs every shard as an actor; `address` is that of a cluster, `auto` for the one this machine belongs to."""

    def __init__(self, folder: Path, address: str) -> None:
        self._folder, self._local = folder.absolute(), address == LOCAL
        join(address)
        with Catalogue(folder) as catalogue:
            self._buckets, self._division = catalogue.buckets(), catalogue.division
        self._storage = read_settings(folder).storage
        if self._storage.disk and not is_copied(self._storage):
            raise UsageError(
                "disk in [storage] says that shards are on the disks of their machines, but there are no snapshots",
                advice="name an archive there, and set snapshots = true",
            )
        here = NodeAffinitySchedulingStrategy(ray.get_runtime_context().get_node_id(), soft=False)
        self._desk = self._actor(ReportDesk, "desk", here).remote(str(self._folder))
        self._working: dict[int, Any] = {}
        self._away: dict[int, WriterLock] = {}

    def start(self, shard: int) -> None:
        """Let Ray start the shard's actor, or find it."""
        with Catalogue(self._folder) as catalogue:
            run = catalogue.get(RUN)
        if self._storage.disk and shard not in self._away:
            send_out(shard_folder(self._folder, shard), self._place(shard), keep=self._storage.keep)
            self._away[shard] = WriterLock(shard_folder(self._folder, shard))  # what was changed here would be lost
        actor = self._actor(ShardActor, shard, self._where(shard)).remote(str(self._folder), shard, run, self._buckets)
        self._working[shard] = actor.work.remote(self._storage.disk)

    def is_alive(self, shard: int) -> bool:
        """Whether the shard's actor works, or is being brought back."""
        if shard not in self._working:
            return False
        done, _ = ray.wait([self._working[shard]], timeout=0)
        return not done

    def trouble(self, shard: int) -> str:
        """Why the shard's actor ended."""
        try:
            ray.get(self._working[shard], timeout=0)
        except RayError as error:
            return str(error)
        return "it left no word"

    async def close(self) -> None:
        """Let the actors go."""
        names: list[int | str] = [*self._working, "desk"]
        for name in names:
            try:
                ray.kill(ray.get_actor(_name(self._folder, name)), no_restart=True)
            except ValueError:
                continue
        for shard, held in self._away.items():
            held.release()
            bring_home(shard_folder(self._folder, shard), self._place(shard))
        if self._local:
            ray.shutdown()

    def _place(self, shard: int) -> ShardAddress:
        return ShardAddress(self._storage.archive, self._division, shard)

    def _where(self, shard: int) -> Any:
        """The machine for a shard: on whichever disk it is kept, it shall be brought back there while there is one."""
        if not self._storage.disk:
            return "SPREAD"
        nodes = sorted(node["NodeID"] for node in ray.nodes() if node["Alive"])
        return NodeAffinitySchedulingStrategy(nodes[shard % len(nodes)], soft=True)

    def _actor(self, kind: type, name: int | str, where: Any = "SPREAD") -> Any:
        return ray.remote(kind).options(
            name=_name(self._folder, name),
            get_if_exists=True,
            lifetime=None if self._local else "detached",
            max_restarts=-1,
            max_task_retries=-1,
            max_concurrency=CALLS_AT_ONCE,
            num_cpus=0,
            scheduling_strategy=where,
        )


def join(address: str) -> None:
    """Belong to a cluster from now on; one of our own listens on this machine alone."""
    if ray.is_initialized():
        return
    quiet: dict[str, Any] = {"namespace": "haenyeo", "log_to_driver": False, "configure_logging": False}
    if address == LOCAL:
        ray.init(address="local", include_dashboard=False, _node_ip_address="127.0.0.1", **quiet)
    else:
        ray.init(address=address, **quiet)


def data_of(items: list[int], address: str) -> Any:
    """The items as a Ray dataset with a block for each, on the cluster at this address."""
    join(address)
    from ray import data

    context = data.DataContext.get_current()
    context.enable_progress_bars = False
    context.print_on_execution_start = False
    return data.from_items(items, override_num_blocks=len(items))


def leave() -> None:
    """Belong to no cluster any more; one of our own ends."""
    ray.shutdown()


def _has_failed(task: asyncio.Task[Any]) -> bool:
    return task.done() and not task.cancelled() and task.exception() is not None


def _name(folder: Path, who: int | str) -> str:
    return f"{folder}#{who}"
