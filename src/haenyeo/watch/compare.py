"""Did the layout change? The watcher of your choice answers."""

from __future__ import annotations

from typing import Protocol

from haenyeo.model.errors import UnknownPartError
from haenyeo.watch.default import DefaultWatcher
from haenyeo.watch.layout import Layout, LayoutChange
from haenyeo.watch.vilo import Vilo


class Watcher(Protocol):
    """Did the layout change?"""

    def compare(self, old: Layout, new: Layout) -> LayoutChange:
        """What changed from the old pages to the new ones."""
        ...


WATCHERS: dict[str, type[Watcher]] = {"default": DefaultWatcher, "vilo": Vilo}
"""The built-in watchers by name."""


def compare_layouts(old: Layout, new: Layout, watcher: str | Watcher = "default") -> LayoutChange:
    """What changed between two layouts; `watcher` is `default`, `vilo` (paper 002), or one of your own."""
    if not isinstance(watcher, str):
        return watcher.compare(old, new)
    if watcher not in WATCHERS:
        raise UnknownPartError(f"there is no watcher named {watcher!r}", advice=f"watchers: {', '.join(WATCHERS)}")
    return WATCHERS[watcher]().compare(old, new)
