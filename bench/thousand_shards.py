"""What would a thousand shards and 10^9 pages cost? The code that coordinates them, run without the crawls.

    python -m bench.thousand_shards                    1,000 shards; a minute
    python -m bench.thousand_shards --shards 100 --pages 500 --days 3

Four questions, each answered by the real code on made-up reports:

leases      what a round of reports and orders costs the coordinator, in CPU and bytes, and how large the catalogue is
price       whether one price over all shards spends the budget, and how fresh the copies are beside those of a single
            planner that knows all pages; how far the price moves from one decision to the next
learning    how large what a shard tells is, and what joining all of it takes
links       how many batches and bytes of links go between shards, from the links of a page

What is measured is printed as such; what is reckoned from it for 10^9 pages is marked with "=".
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt
from bench.cluster import Figures, show
from bench.made_web import MadeWeb

from haenyeo.cluster.leases import RunLeases
from haenyeo.cluster.messages import ClusterRun, Revisiting, RevisitReport, ShardReport, encode
from haenyeo.cluster.price import RevisitPrice
from haenyeo.collect.events import RefreshEnded
from haenyeo.find.learned.features import WORD_IDS
from haenyeo.find.learned.strategy import Learned
from haenyeo.model.pages import Url
from haenyeo.model.parts import LinkedPage
from haenyeo.refresh.sharing import demand_of
from haenyeo.store.shards.catalogue import FILE_NAME, Catalogue, dealt_out

HOUR, DAY = 3600.0, 86_400.0
EVERYTHING = 1_000_000_000
PAGES_A_SECOND = 50  # of one shard
LINK_BYTES, LINKS_TO_OTHERS = 200, 3
TICK = 0.1  # seconds between two times that links are sent
Floats = npt.NDArray[np.float64]
NOTHING_FOUND = RefreshEnded(why="", visited=0, changed=0, found={}, requests=0, bytes=0, seconds=0.0)


def leased(shards: int, pages: int) -> Figures:
    """What the coordinator of so many shards does, when each uses up its lease between two reports."""
    run = ClusterRun(id="simulated", began=0.0, pages=pages)
    leases, chance = RunLeases(run, shards, {}), random.Random(7)
    reports = {shard: _report(shard, 0, 0, chance) for shard in range(shards)}
    began, steps, sizes = time.process_time(), 0, 0
    while not leases.why and steps < 100_000:
        orders = leases.step(reports, float(steps))
        reports = {shard: _report(shard, each.lease or 0, each.round, chance) for shard, each in enumerate(orders)}
        steps += 1
    used = time.process_time() - began
    sizes = sum(len(encode(report)) + len(encode(orders[shard])) for shard, report in reports.items())
    with tempfile.TemporaryDirectory() as folder:
        Catalogue.create(Path(folder), dealt_out(shards))
        with Catalogue(Path(folder)) as catalogue:
            began = time.process_time()
            catalogue.put((f"report/{shard:04d}", encode(report)) for shard, report in reports.items())
            written = time.process_time() - began
        size = (Path(folder) / FILE_NAME).stat().st_size
    return {
        "shards": shards,
        "pages": sum(report.counted for report in reports.values()),
        "steps": steps,
        "coordinator ms/step": used / steps * 1000,
        "bytes/shard and step": sizes / shards,
        "catalogue ms/1,000 reports": written / shards * 1e6,
        "catalogue kB": size / 1000,
    }


def _report(shard: int, counted: int, number: int, chance: random.Random) -> ShardReport:
    best = sorted((chance.random() for _ in range(7)), reverse=True)
    said = {"counted": counted, "lease": counted, "waiting": 1000, "rest": "budget", "round": number, "best": best}
    return msgspec.convert({"shard": shard, "run": "simulated", "at": 0.0, **said}, ShardReport)


class Copies:
    """Pages that change by chance, each at its own rate, and when each was last visited."""

    def __init__(self, shards: int, pages: int) -> None:
        chance = np.random.default_rng(7)
        of_site = chance.lognormal(-3.0, 1.5, (shards, 1))  # changes a day: sites differ more than their pages
        self.rate = of_site * chance.lognormal(0.0, 0.7, (shards, pages))
        self.visited = -chance.uniform(0, 10, (shards, pages))

    def fresh(self, day: float) -> Floats:
        """The chance that each copy is fresh."""
        return np.exp(-self.rate * (day - self.visited))

    def urgency(self, day: float) -> Floats:
        """What a visit to each page is worth now: what it gains until it is as stale again."""
        passed = self.rate * (day - self.visited)
        return (1 - np.exp(-passed) * (1 + passed)) / self.rate


def priced(shards: int, pages: int, days: int) -> dict[str, float]:
    """A run of revisits over all shards by one price, beside one by a single planner."""
    copies, alone = Copies(shards, pages), Copies(shards, pages)
    per_day = shards * pages / 20
    price = RevisitPrice("run", Revisiting(per_day=per_day), shards, None)
    spent, used, prices, fresh = np.zeros(shards, np.int64), 0.0, list[float](), list[tuple[float, float]]()
    size = 0
    for hour in range(days * 24):
        day = hour / 24
        reports = _reports(copies, day, price.order(0).decision, spent)
        size = max(size, *(len(encode(report)) for report in reports.values()))
        began = time.process_time()
        price.step(reports, 1e9 + hour * HOUR)
        used += time.process_time() - began
        urgency = copies.urgency(day)
        for shard in range(shards):
            visits = price.order(shard).visits
            _visit(copies.visited[shard], urgency[shard], visits, day)
            spent[shard] += visits
        prices.append(price.price)
        _visit(alone.visited.reshape(-1), alone.urgency(day).reshape(-1), int(per_day / 24), day)
        fresh.append((float(copies.fresh(day).mean()), float(alone.fresh(day).mean())))
    last = slice(-24, None)
    moved = np.abs(np.diff(prices[last])) / np.maximum(prices[last][1:], 1e-12)
    return {
        "shards": shards,
        "pages of all": shards * pages,
        "requests of the budget": float(spent.sum()) / (per_day * days),
        "fresh by one price": float(np.mean([each for each, _ in fresh[last]])),
        "fresh by one planner": float(np.mean([each for _, each in fresh[last]])),
        "price moves by": float(np.median(moved)),
        "ms/decision": used / (days * 24) * 1000,
        "bytes/report": size,
    }


def _reports(copies: Copies, day: float, decision: int, spent: npt.NDArray[np.int64]) -> dict[int, ShardReport]:
    urgency, stale = copies.urgency(day), 1 - copies.fresh(day)
    none = np.zeros(urgency.shape[1], np.bool_)
    found = {}
    for shard in range(len(urgency)):
        demand = demand_of(urgency[shard], stale[shard], none)
        told = RevisitReport(decision=decision, requests=int(spent[shard]), demand=demand, ended=NOTHING_FOUND)
        found[shard] = ShardReport(shard=shard, run="run", at=0.0, revisits=told)
    return found


def _visit(visited: Floats, urgency: Floats, visits: int, day: float) -> None:
    if visits:
        visited[np.argsort(-urgency)[:visits]] = day


def learnt(shards: int, pages: int) -> dict[str, float]:
    """What a shard that has read so many pages tells, and what joining takes."""
    scorer, chance, web = Learned(words="sea reef"), random.Random(7), MadeWeb(50, pages)
    vocabulary = [_word(int(chance.paretovariate(0.7)) % 1_000_000) for _ in range(300_000)]
    for number in range(pages):
        words = " ".join(chance.choices(vocabulary, k=300))
        url = Url(f"https://site{number % len(web.sizes)}.example/{number}")
        scorer.visit(LinkedPage(key=number, url=url, title=words[:60], text=words, main=words, depth=1))
    told = scorer.told()
    some = min(shards, 20)
    began = time.process_time()
    everything = Learned.joined(dict.fromkeys(range(some), told))
    used = time.process_time() - began
    began = time.process_time()
    scorer.hear(everything, told, 0)
    heard = time.process_time() - began
    return {
        "pages": pages,
        "words known": float(len(WORD_IDS.of(" ".join(set(vocabulary))))),
        "kB told": len(told) / 1000,
        "ms to join one": used / some * 1000,
        "ms to hear": heard * 1000,
        "= s to join all": used / some * shards,
    }


def _word(rank: int) -> str:
    """A word for each rank, the common ones short."""
    letters = ""
    while rank or not letters:
        rank, place = divmod(rank, 20)
        letters += "bcdfghjklmnpqrstvwxz"[place] + "aeiou"[place % 5]
    return letters


def reckoned(shards: int) -> dict[str, float]:
    """What follows for 10^9 pages."""
    links = PAGES_A_SECOND * LINKS_TO_OTHERS * (1 - 1 / shards)
    return {
        "= hours for 10^9 pages": EVERYTHING / (PAGES_A_SECOND * shards) / 3600,
        "= kB/s of links each shard sends": links * LINK_BYTES / 1000,
        "= batches/s it sends": min(links, (shards - 1) / TICK),
        "= pages of a shard": EVERYTHING / shards,
    }


def main() -> None:
    """Answer the four questions."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shards", type=int, default=1000)
    parser.add_argument("--pages", type=int, default=200, help="of each shard, for the price")
    parser.add_argument("--days", type=int, default=3)
    options = parser.parse_args()
    for name, found in (
        ("leases", lambda: leased(options.shards, 1000 * options.shards)),
        ("price", lambda: priced(options.shards, options.pages, options.days)),
        ("learning", lambda: learnt(options.shards, 1000)),
        ("links", lambda: reckoned(options.shards)),
    ):
        print(name, end="  ")
        show(dict(found()))


if __name__ == "__main__":
    main()
