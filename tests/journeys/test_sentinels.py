"""A list that shows when its items are edited: with it as a sentinel the same requests keep more of them fresh."""

from __future__ import annotations

import asyncio
import random
import shutil
from bisect import bisect_right
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from named_web import NOT_FOUND, Reply, answering

from haenyeo.collect.collection import Collection, Overrides, create_collection
from haenyeo.collect.crawl.assembly import RunContext, parts_of
from haenyeo.collect.crawl.loop import Budget
from haenyeo.collect.service.planning import memory_of
from haenyeo.collect.service.refresher import Refresher
from haenyeo.collect.visit.clock import Clock
from haenyeo.model.config import FetchSettings, Topic
from haenyeo.model.visits import Found

pytestmark = [pytest.mark.slow, pytest.mark.timeout(200)]

ITEMS, WEEKS, A_DAY = 60, 6, 8
HOUR, START = 3600, 1_767_571_200
WORDS = ("tide", "rope", "stone", "gull", "salt", "mast", "wind", "kelp", "reef", "hull")
AT_ONCE = Overrides(delay=0.0, scorer="bfs")


class Board:
    """Items that are edited now and then, and a list that says how often each was."""

    def __init__(self) -> None:
        chance = random.Random(7)
        hours = WEEKS * 7 * 24
        self.edits = [sorted(chance.randrange(1, hours) for _ in range(chance.randrange(6))) for _ in range(ITEMS)]
        self.hour = 0

    def answer(self, path: str) -> str | None:
        versions = [bisect_right(edits, self.hour) for edits in self.edits]
        if path == "/":
            rows = (f'<li><a href="/item/{n}">Notes on matter {n}</a> edit {v}</li>' for n, v in enumerate(versions))
            return f"<title>Board</title><h1>Board</h1><ul>{''.join(rows)}</ul>"
        number = path.removeprefix("/item/")
        if not number.isdigit() or int(number) >= ITEMS:
            return None
        chance = random.Random(f"{number} {versions[int(number)]}")
        words = " ".join(chance.choices(WORDS, k=80))
        return f"<title>Matter {number}</title><h1>Matter {number}</h1><p>{words}.</p>"


@contextmanager
def served(board: Board) -> Iterator[str]:
    def answer(path: str) -> Reply:
        page = board.answer(path)
        return Reply(page) if page else NOT_FOUND

    with answering(answer) as port:
        yield f"http://board.localhost:{port}/"


async def live(folder: Path, board: Board, *, listening: bool) -> int:
    """Refresh for weeks, hour by hour, with or without heeding lists; returns the number of lists with a cycle."""
    clock = Clock(lambda: START + board.hour * HOUR, speed=1e6)
    async with Collection.open(folder) as opened:
        settings = AT_ONCE.applied_to(opened.settings)
        async with parts_of(opened.store, settings, RunContext(clock=clock)) as parts:
            memory = memory_of(opened.store, settings, A_DAY)
            refresher = Refresher(parts, memory, heeds_lists=listening)
            for board.hour in range(1, WEEKS * 7 * 24):
                await refresher.step()
            return len(memory.signals.state.sentinels)


def stale_hours(folder: Path, board: Board, url: str) -> float:
    """How long copies of items were out of date, all together."""
    total = 0.0
    with Collection.open(folder, writing=False) as opened:
        for number, edits in enumerate(board.edits):
            visits = opened.store.visits(f"{url}item/{number}")
            seen = [(v.at.timestamp() - START) / HOUR for v in visits if v.found is not Found.NOTHING]
            for since, until in zip(seen, [*seen[1:], WEEKS * 7 * 24], strict=True):
                total += until - min([edit for edit in edits if since < edit <= until], default=until)
    return total


def test_items_are_fresher_when_their_list_is_heeded(tmp_path: Path) -> None:
    board, stale, cycles = Board(), dict[bool, float](), dict[bool, int]()
    with served(board) as url:
        folder = tmp_path / "crawled"
        create_collection(
            folder, Topic(words="tide", seeds=(url,)), fetch=FetchSettings(allow_private=("127.0.0.0/8",))
        )

        async def crawl() -> None:
            clock = Clock(lambda: float(START), speed=1e6)
            async with Collection.open(folder) as opened, opened.crawling(AT_ONCE, clock) as crawling:
                await crawling.run(Budget())

        asyncio.run(crawl())
        for listening in (True, False):
            lived = tmp_path / str(listening)
            shutil.copytree(folder, lived)
            board.hour = 0
            cycles[listening] = asyncio.run(live(lived, board, listening=listening))
            stale[listening] = stale_hours(lived, board, url)
    assert cycles == {True: 1, False: 0}
    assert stale[True] < 0.7 * stale[False]
