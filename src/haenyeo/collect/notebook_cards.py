"""How a collection shows itself in a notebook: what it holds, and how the harvest went, drawn without scripts."""

from __future__ import annotations

from html import escape

from haenyeo.collect.overview import overview_of
from haenyeo.model.config import Settings
from haenyeo.store import Store

WIDTH, HEIGHT, POINTS = 320, 60, 64


def collection_card(store: Store, settings: Settings) -> str:
    """A card with the figures of a collection and its harvest: pages kept over pages read."""
    overview = overview_of(store, settings)
    topics = "; ".join(overview.topics.values())
    counts = overview.counts
    figures = {
        "pages kept": counts.kept,
        "asked for": counts.asked,
        "links waiting": overview.waiting,
        "sites": counts.sites,
    }
    cells = "".join(f"<td><b>{number:,}</b><br>{escape(name)}</td>" for name, number in figures.items())
    return (
        f"<div><b>{escape(str(store.folder))}</b> {escape(topics)}"
        f"<table><tr>{cells}</tr></table>{_curve(_harvest(store))}</div>"
    )


def _harvest(store: Store) -> list[int]:
    """How many pages were kept by each page that was read."""
    kept, counted = 0, []
    for page in store.pages(kept_only=False):
        kept += page.kept
        counted.append(kept)
    step = max(1, len(counted) // POINTS)
    return counted[::step]


def _curve(counted: list[int]) -> str:
    if not counted or not counted[-1]:
        return ""
    last = max(1, len(counted) - 1)
    points = " ".join(
        f"{place * WIDTH / last:.1f},{HEIGHT - count * HEIGHT / counted[-1]:.1f}" for place, count in enumerate(counted)
    )
    line = f'<polyline points="{points}" fill="none" stroke="currentColor" stroke-width="2"/>'
    return f'<svg width="{WIDTH}" height="{HEIGHT}" role="img" aria-label="harvest">{line}</svg>'
