from __future__ import annotations

import asyncio
import os
import platform
import signal

import pytest

from haenyeo.cli.running import OnSignal, run_stoppable
from haenyeo.native.c_library import give_large_blocks_back


def test_work_that_ends_by_itself_has_no_code() -> None:
    async def work(on_signal: OnSignal) -> str:
        on_signal(lambda: None)
        return "done"

    assert run_stoppable(work) == ("done", 0)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_stops_the_work_and_is_the_code(number: signal.Signals, code: int) -> None:
    async def work(on_signal: OnSignal) -> str:
        stopped = asyncio.Event()
        on_signal(stopped.set)
        os.kill(os.getpid(), number)
        await stopped.wait()
        return "what was done so far"

    assert run_stoppable(work) == ("what was done so far", code)


def test_glibc_gives_large_blocks_back() -> None:
    assert give_large_blocks_back() == (platform.libc_ver()[0] == "glibc")
