"""Which answers have been waited for too long?

All waits are looked at a few times a second: a timer of its own for each would cost more than the rest of a request.
"""

from __future__ import annotations

import asyncio

from haenyeo.fetch.transport.wire import Wire

TICK_SECONDS = 0.25
IDLE_SECONDS = 10.0


class Watch:
    """Ends waits on connections: at their `due` time, or when no byte of a body has come for `IDLE_SECONDS`."""

    def __init__(self) -> None:
        self._waits: set[Wire] = set()
        self._timer: asyncio.TimerHandle | None = None

    def begin(self, wire: Wire) -> None:
        """Watch a connection, whose `step` and `due` say what is waited for and until when."""
        self._waits.add(wire)
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(TICK_SECONDS, self._look)

    def end(self, wire: Wire) -> None:
        """Stop watching this connection."""
        self._waits.discard(wire)

    def close(self) -> None:
        """Stop watching all connections."""
        if self._timer:
            self._timer.cancel()

    def _look(self) -> None:
        loop = asyncio.get_running_loop()
        now = loop.time()
        for wire in list(self._waits):
            if now >= wire.due:
                wire.give_up(f"timeout: {wire.step}")
            elif wire.silent_since(now) <= now - IDLE_SECONDS:
                wire.give_up("timeout: idle")
        self._timer = loop.call_later(TICK_SECONDS, self._look) if self._waits else None
