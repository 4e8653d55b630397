"""Repeats the experiment of Park, Oh & Lee 2002 and adds what it lacks: how often nothing changed and it cried.

The paper edits 110 pages in 18 ways and finds every edit. Here the same is done with the paper's watcher and with the
default one, and both are shown pages whose layout did not change, and real redesigns.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from haenyeo.papers.layout_edits import CLASSES, KINDS, edits
from haenyeo.papers.layout_pages import Pair, pages_for
from haenyeo.papers.report import Cell, Figure, Report, Table
from haenyeo.watch.compare import Watcher
from haenyeo.watch.default import DefaultWatcher
from haenyeo.watch.layout import Layout, LayoutChange, describe_layout
from haenyeo.watch.vilo import Vilo

FREQUENCIES = (3, 5, 10, 15, 20)
"""K of the figure."""
FIGURE_PAGES, FIGURE_PAIRS = 15, 60

WATCHERS: dict[str, Watcher] = {"vilo": Vilo(), "default": DefaultWatcher()}


def repeat(data: Path | None, note: Callable[[str], None]) -> Report:
    """The paper's table 5 and figures, and the table of false alarms."""
    pages = pages_for(data)
    note(f"editing {len(pages.edited)} pages in 18 ways ...")
    detected, count, edited = _edits_table(pages.edited)
    note(f"comparing {len(pages.stable)} pairs without and {len(pages.redesigned)} with a redesign ...")
    stable = _rates_table("False alarms: the layout did not change, % of pairs", pages.stable)
    redesigned = _rates_table("Redesigns: the layout changed, % of pairs", pages.redesigned)
    note("varying K ...")
    figure = _frequencies(pages.edited[:FIGURE_PAGES], pages.stable[:FIGURE_PAIRS])
    source = "the demo web" if data is None else data.name
    return Report(
        tables=[detected, stable, redesigned],
        figures=[figure],
        notes=[
            f"{count} edits on {edited} pages of {source}; the paper made 1,980 on 110 and reports 100 % detected.",
            "The paper measured no false alarms; its watcher calls any other set of patterns a change.",
        ],
    )


def _edits_table(pages: Sequence[str]) -> tuple[Table, int, int]:
    """The share of edits that each watcher detects, by class and kind; how many edits, on how many pages."""
    seen: defaultdict[tuple[str, int, str], list[bool]] = defaultdict(list)
    edited = 0
    for html in pages:
        layouts: dict[str, Layout] = {}
        for edit in edits(html):
            before, after = (_described(source, layouts) for source in (edit.before, edit.after))
            for name, watcher in WATCHERS.items():
                change = watcher.compare(before, after)
                seen[name, edit.number, edit.kind].append(change.alarm or change.notice)
        edited += bool(layouts)
    rows: list[list[Cell]] = [
        [name, number, *(_percent(seen[name, number, kind]) for kind in KINDS)]
        for name in WATCHERS
        for number in CLASSES
    ]
    titles = ["watcher", "class", *KINDS]
    count = sum(map(len, seen.values())) // len(WATCHERS)
    return Table(title="Edits detected, % (the paper's tables 3 to 5)", columns=titles, rows=rows), count, edited


def _rates_table(title: str, pairs: Sequence[Pair]) -> Table:
    """How often each watcher cries, by what is known of the pairs."""
    found: defaultdict[str, list[dict[str, LayoutChange]]] = defaultdict(list)
    for pair in pairs:
        before, after = describe_layout(pair.before), describe_layout([pair.after])
        found[pair.kind].append({name: watcher.compare(before, after) for name, watcher in WATCHERS.items()})
    columns = ["pages", "pairs", *(f"{name}: {grade}" for name in WATCHERS for grade in ("alarm", "notice"))]
    rows: list[list[Cell]] = [
        [
            kind,
            len(changes),
            *(
                _percent(getattr(each[name], grade) for each in changes)
                for name in WATCHERS
                for grade in ("alarm", "notice")
            ),
        ]
        for kind, changes in found.items()
    ]
    return Table(title=title, columns=columns, rows=rows)


def _frequencies(pages: Sequence[str], stable: Sequence[Pair]) -> Figure:
    """What K costs: edits detected and false alarms of the paper's watcher by the number of repetitions it asks for."""
    made = [edit for html in pages for edit in edits(html)]
    layouts: dict[str, Layout] = {}
    sides = [(_described(edit.before, layouts), _described(edit.after, layouts)) for edit in made]
    calm = [(describe_layout(pair.before), describe_layout([pair.after])) for pair in stable]
    lines: dict[str, list[tuple[float, float]]] = {"edits detected": [], "false alarms": []}
    for times in FREQUENCIES:
        watcher = Vilo(times=times)
        lines["edits detected"].append((times, _percent(watcher.compare(*side).alarm for side in sides)))
        lines["false alarms"].append((times, _percent(watcher.compare(*pair).alarm for pair in calm)))
    return Figure(title="The paper's watcher by K", x="K (repetitions of a pattern)", y="% of pairs", lines=dict(lines))


def _described(source: str, layouts: dict[str, Layout]) -> Layout:
    if source not in layouts:
        layouts[source] = describe_layout([source])
    return layouts[source]


def _percent(values: Iterable[bool]) -> float:
    known = list(values)
    return round(100 * sum(known) / len(known), 1) if known else 0.0
