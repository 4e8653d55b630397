"""Repeats the experiment of Park, Oh & Lee 2002 and adds what it lacks: how often nothing changed and it cried.

The paper edits 110 pages in 18 ways and finds every edit. Here the same is done with the paper's watcher, with its
pseudocode as printed and with the default watcher; then at places that the paper's search has not chosen; and all are
shown pages whose layout did not change, and real redesigns.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from statistics import fmean

from haenyeo.papers.layout_edits import CLASSES, KINDS, Where, at_commonest_tag, at_one_place, edits, in_pattern
from haenyeo.papers.layout_pages import LayoutPages, Pair, pages_for
from haenyeo.papers.printed_patterns import examples_table
from haenyeo.papers.report import Cell, Figure, Report, Table
from haenyeo.watch.compare import Watcher
from haenyeo.watch.default import DefaultWatcher
from haenyeo.watch.layout import Layout, LayoutChange, describe_layout
from haenyeo.watch.vilo import Vilo
from haenyeo.watch.vilo_printed import ViloPrinted

FREQUENCIES = (3, 5, 10, 15, 20)
"""K of the figure."""
FIGURE_PAGES, FIGURE_PAIRS, ELSEWHERE_PAGES = 15, 60, 40

WATCHERS: dict[str, Watcher] = {"vilo": Vilo(), "vilo-printed": ViloPrinted(), "default": DefaultWatcher()}
WHERE: dict[str, Where] = {
    "the pattern that vilo found, as in the paper": in_pattern,
    "behind the commonest tag": at_commonest_tag,
    "one place by chance": at_one_place,
}
ACTIONS = {
    "Is": ("insert", "formatting tags between tags"),
    "I": ("insert", "other tags around TEXT"),
    "Ds": ("delete", "formatting tags"),
    "D": ("delete", "other tags"),
    "Us": ("replace", "formatting tags by others"),
    "U": ("replace", "other tags by formatting tags"),
}
PRINTED_PAGES, PRINTED_DETECTED = 110, 100.0

Detected = Mapping[tuple[str, int, str], Sequence[bool]]


def repeat(data: Path | None, note: Callable[[str], None]) -> Report:
    """The paper's tables 1 to 5, the same edits elsewhere, and the tables of false alarms and of redesigns."""
    pages = pages_for(data)
    found: dict[str, Detected] = {}
    for name, where in WHERE.items():
        note(f"editing pages in 18 ways: {name} ...")
        found[name] = _detected(pages.edited if where is in_pattern else pages.edited[:ELSEWHERE_PAGES], where)
    note(f"comparing {len(pages.stable)} pairs without and {len(pages.redesigned)} with a redesign ...")
    stable = _rates_table("False alarms: the layout did not change, % of pairs (not in the paper)", pages.stable)
    redesigned = _rates_table("Redesigns: the layout changed, % of pairs (not in the paper)", pages.redesigned)
    note("varying K ...")
    own = next(iter(found.values()))
    return Report(
        tables=[examples_table(), _strategy_table(), _table_5(own), _elsewhere_table(found), stable, redesigned],
        figures=[_frequencies(pages.edited[:FIGURE_PAGES], pages.stable[:FIGURE_PAIRS])],
        notes=_notes(pages, own, found, stable, "the demo web" if data is None else data.name),
    )


def _detected(pages: Sequence[str], where: Where) -> Detected:
    """Of each watcher, class and kind, whether each edit was detected."""
    seen: defaultdict[tuple[str, int, str], list[bool]] = defaultdict(list)
    for html in pages:
        layouts: dict[str, Layout] = {}
        for edit in edits(html, where):
            before, after = (_described(source, layouts) for source in (edit.before, edit.after))
            for name, watcher in WATCHERS.items():
                change = watcher.compare(before, after)
                seen[name, edit.number, edit.kind].append(change.alarm or change.notice)
    return seen


def _strategy_table() -> Table:
    """Tables 3 and 4: what is edited, with which tags."""
    rows: list[list[Cell]] = []
    for kind, (action, what) in ACTIONS.items():
        tags = [_written(*CLASSES[number], kind) for number in CLASSES]
        rows.append([kind, action, what, *tags])
    columns = ["edit", "action", "what", "class 1", "class 2, with <br>", "class 3, with <a>"]
    return Table(
        title="The paper's tables 3 and 4: the edits, made here with the printed tags", columns=columns, rows=rows
    )


def _written(formatting: tuple[str, str], structural: tuple[str, str], kind: str) -> str:
    """The tags of an edit as table 4 has them."""
    if kind in ("Us", "U"):
        one, two = (" ".join(tags) for tags in (formatting, structural))
        return f"{one} -> {two}" if kind == "Us" else f"{two} -> {one}"
    return " ".join(formatting if kind in ("Is", "Ds") else structural)


def _table_5(seen: Detected) -> Table:
    rows: list[list[Cell]] = []
    for number in CLASSES:
        for kind in KINDS:
            shares = {name: _percent(seen[name, number, kind]) for name in WATCHERS}
            pages = len(seen["vilo", number, kind])
            difference = round(shares["vilo"] - PRINTED_DETECTED, 1)
            rows.append([number, kind, PRINTED_PAGES, PRINTED_DETECTED, pages, shares["vilo"], difference])
            rows[-1] += [shares["vilo-printed"], shares["default"]]
    columns = ["class", "edit", "pages, printed", "found, printed %", "pages here"]
    columns += ["vilo %", "differs by", "table 2 %", "default %"]
    return Table(
        title="The paper's table 5: edits detected, as printed and here (table 2: by its pseudocode)",
        columns=columns,
        rows=rows,
    )


def _elsewhere_table(found: Mapping[str, Detected]) -> Table:
    """The share of all edits that each watcher detects, by where they are made."""
    rows: list[list[Cell]] = []
    for where, seen in found.items():
        edited = len(seen["vilo", 1, "I"])
        rows.append([where, edited, 18 * edited, *(_share(seen, name) for name in WATCHERS)])
    columns = ["places", "pages", "edits", *(f"{name} %" for name in WATCHERS)]
    return Table(title="The same edits at places that vilo has not chosen", columns=columns, rows=rows)


def _share(seen: Detected, watcher: str) -> float:
    return _percent(each for (name, _, _), values in seen.items() if name == watcher for each in values)


def _notes(pages: LayoutPages, own: Detected, found: Mapping[str, Detected], stable: Table, source: str) -> list[str]:
    shares = {name: _share(own, name) for name in WATCHERS}
    chance = _share(found["one place by chance"], "vilo")
    alarms = fmean(float(row[2]) for row in stable.rows) if stable.rows else 0.0
    edited = len(own["vilo", 1, "I"])
    held = "held" if shares["vilo"] == PRINTED_DETECTED else f"held for {shares['vilo']:g} %"
    pairs = [
        (f"{18 * edited:,} edits on {edited} pages of {source};", "the paper made 1,980 on 110."),
        (
            f"{pages.without_pattern} further pages with lists were left out: nothing with a text occurs ten times",
            "on them, and the paper took pages with repeating structure only.",
        ),
        (f"That every edit is detected {held}, where the edits are made in what", "the paper's own search has found."),
        (
            f"It did not hold elsewhere: of edits at one place vilo detects {chance:g} %, since what occurs once is",
            "in no pattern (haenyeo diff --watcher vilo --patterns OLD -- NEW).",
        ),
        (
            f"The pseudocode as printed detects {shares['vilo-printed']:g} %: a record that occurs more often than K",
            "goes with its own branch (haenyeo diff --watcher vilo-printed --patterns --times K OLD -- NEW).",
        ),
        (
            f"The paper measured no false alarms; vilo raises them for {alarms:.1f} % of these pairs,",
            "since one record more or less is another set of patterns.",
        ),
    ]
    return [" ".join(pair) for pair in pairs]


def _rates_table(title: str, pairs: Sequence[Pair]) -> Table:
    """How often each watcher cries, by what is known of the pairs."""
    found: defaultdict[str, list[dict[str, LayoutChange]]] = defaultdict(list)
    for pair in pairs:
        before, after = describe_layout(pair.before), describe_layout([pair.after])
        found[pair.kind].append({name: watcher.compare(before, after) for name, watcher in WATCHERS.items()})
    columns = ["pages", "pairs", *(f"{name}: alarm" for name in WATCHERS), "default: notice"]
    rows: list[list[Cell]] = [
        [
            kind,
            len(changes),
            *(_percent(each[name].alarm for each in changes) for name in WATCHERS),
            _percent(each["default"].notice for each in changes),
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
    lines: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for times in FREQUENCIES:
        for name, watcher in (("vilo", Vilo(times=times)), ("table 2", ViloPrinted(times=times))):
            lines[f"{name}: detected"].append((times, _percent(watcher.compare(*side).alarm for side in sides)))
            lines[f"{name}: false alarms"].append((times, _percent(watcher.compare(*pair).alarm for pair in calm)))
    return Figure(title="The paper's watcher by K", x="K (repetitions of a pattern)", y="% of pairs", lines=dict(lines))


def _described(source: str, layouts: dict[str, Layout]) -> Layout:
    if source not in layouts:
        layouts[source] = describe_layout([source])
    return layouts[source]


def _percent(values: Iterable[bool]) -> float:
    known = list(values)
    return round(100 * sum(known) / len(known), 1) if known else 0.0
