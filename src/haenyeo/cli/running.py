"""Runs a crawl on a fast event loop and ends it cleanly on Ctrl-C or SIGTERM."""

from __future__ import annotations

import asyncio
import gc
import signal
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

from haenyeo.cli import YOUNG_OBJECTS
from haenyeo.collect.collection import Collection, Overrides
from haenyeo.collect.crawl.assembly import parts_of
from haenyeo.collect.crawl.loop import Budget
from haenyeo.collect.crawl.parts import Parts
from haenyeo.collect.events import CrawlEnded, Listener
from haenyeo.native.c_library import give_large_blocks_back

Result = TypeVar("Result")
OnSignal = Callable[[Callable[[], None]], None]
"""Takes the function that a signal shall call."""

SIGNALS = {signal.SIGINT: 130, signal.SIGTERM: 143}


def run_crawl(
    collection: Collection, budget: Budget, overrides: Overrides, listener: Listener
) -> tuple[CrawlEnded, int]:
    """How the crawl ended and the exit code that says so."""

    async def crawl(on_signal: OnSignal) -> CrawlEnded:
        async with collection.crawling(overrides) as crawl:
            crawl.events.listen(listener)
            on_signal(crawl.stop)
            return await crawl.run(budget)

    return run_stoppable(crawl)


def run_stoppable(work: Callable[[OnSignal], Coroutine[Any, Any, Result]]) -> tuple[Result, int]:
    """What comes of some work, and the exit code; it says itself how Ctrl-C and SIGTERM stop it."""
    codes: list[int] = []

    def on_signal(stop: Callable[[], None]) -> None:
        def stopping(code: int) -> None:
            codes.append(code)
            stop()

        for number, code in SIGNALS.items():
            asyncio.get_running_loop().add_signal_handler(number, stopping, code)

    gc.freeze()  # what was loaded so far stays, and need not be looked through again and again
    gc.set_threshold(YOUNG_OBJECTS)
    give_large_blocks_back()
    with asyncio.Runner(loop_factory=fast_loop) as runner:
        result = runner.run(work(on_signal))
    return result, codes[0] if codes else 0


def fast_loop() -> asyncio.AbstractEventLoop:
    """A uvloop event loop where there is one."""
    try:
        import uvloop
    except ImportError:
        return asyncio.new_event_loop()
    return uvloop.new_event_loop()


def run_with_parts(collection: Collection, work: Callable[[Parts], Awaitable[Result]], delay: float | None) -> Result:
    """What comes of some work with the parts of a crawl; Ctrl-C ends it, and every visit that was made is kept."""

    async def working() -> Result:
        settings = Overrides(delay=delay).applied_to(collection.settings)
        async with parts_of(collection.store, settings) as parts:
            return await work(parts)

    gc.freeze()  # what was loaded so far stays, and need not be looked through again and again
    gc.set_threshold(YOUNG_OBJECTS)
    with asyncio.Runner(loop_factory=fast_loop) as runner:
        return runner.run(working())
