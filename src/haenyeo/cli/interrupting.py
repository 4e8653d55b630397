"""Commands without an event loop end as cleanly on SIGTERM as on Ctrl-C."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

TERMINATED = 143


@contextmanager
def ending_cleanly() -> Iterator[None]:
    """Inside, SIGTERM ends the command with what it must still tidy up."""
    before = signal.signal(signal.SIGTERM, _end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _end(number: int, frame: FrameType | None) -> NoReturn:
    del number, frame
    raise SystemExit(TERMINATED)
