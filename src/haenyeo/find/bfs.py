"""Breadth first: every link of a page is worth less than any link of a page nearer to the seeds."""

from __future__ import annotations

from collections.abc import Sequence

from haenyeo.model.pages import Link


class BreadthFirst:
    """Scores a link by its page's distance from the seeds alone; the frontier's order within a score does the rest."""

    def score(self, links: Sequence[Link], depth: int) -> Sequence[float]:
        """The same for all links of a page, less for each step away; seeds, which stand on no page, are worth 1."""
        return [1 / (2 + depth)] * len(links)
