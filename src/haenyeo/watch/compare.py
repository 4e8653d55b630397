"""Did the layout change? The watcher of your choice answers."""

from __future__ import annotations

from typing import Protocol

from haenyeo.model.registry import find_part
from haenyeo.watch.layout import Layout, LayoutChange


class Watcher(Protocol):
    """Did the layout change?"""

    def compare(self, old: Layout, new: Layout) -> LayoutChange:
        """What changed from the old pages to the new ones."""
        ...


def compare_layouts(old: Layout, new: Layout, watcher: str | Watcher = "default") -> LayoutChange:
    """What changed between two layouts.

    `watcher` is the name of an installed one, such as `default` or `vilo` (paper 002), or one of your own. Raises
    `UnknownPartError` that lists the installed watchers if there is none of this name.
    """
    chosen: Watcher = find_part("watchers", watcher)() if isinstance(watcher, str) else watcher
    return chosen.compare(old, new)
