"""Asynchronous work for callers who do not wait for it: scripts have no event loop, notebooks one that is taken."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

Result = TypeVar("Result")


def finished(work: Coroutine[Any, Any, Result]) -> Result:
    """What comes of the work: done here, or in a thread of its own where an event loop runs already."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    with ThreadPoolExecutor(1, "haenyeo") as thread:
        return thread.submit(asyncio.run, work).result()
