"""Cho, Lee & Choi 2013: does visiting each group of pages in its own cycle save requests and keep copies fresh?

Its tables are made again from what is printed, and its method is run through a change log, the learning period of 72
visits a day to every page included, beside daily visits and other planners.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from haenyeo.collect.service.planners import make_planner
from haenyeo.papers.change_logs import WEEK, demo_log, read_log
from haenyeo.papers.printed_cycles import (
    changes_table,
    fields_table,
    hours_table,
    requests_table,
    visited_table,
    visits_table,
)
from haenyeo.papers.report import Figure, Report, Table
from haenyeo.papers.wrapper_crawl import wrapper_table
from haenyeo.refresh.groups.cycles import Cycle, cycles, fine_group, requests_a_day
from haenyeo.refresh.replay import DAY, LEARNING_DAYS, ChangeLog, Score, replay

VISITS_A_DAY_WHILE_LEARNING = 72  # every 20 minutes
BUDGETS = (0.05, 0.1, 0.2)
DAILY, BY_TABLE = "every page every day", "groups by their table"


class Trial(NamedTuple):
    """A planner with its budget, and how often it sees every page while it learns; 0 for what the budget allows."""

    planner: str
    per_day: float
    learning_visits: int = 0


def repeat(data: Path | None, note: Callable[[str], None]) -> Report:
    """The paper's tables made again, its groups on a change log, and how fresh its table keeps copies beside others."""
    log = read_log(data) if data else demo_log(note)
    note(f"{len(log.pages):,} pages over {log.length / WEEK:.0f} weeks")
    rates = _weekly_changes(log)
    counted = Counter(cycles(np.array(rates)).tolist())
    groups = {cycle: counted[cycle] for cycle in reversed(Cycle)}
    scores = _scores(log, requests_a_day(groups), note)
    shop = [] if data else [wrapper_table()]
    printed = [fields_table(), visited_table(), changes_table(), hours_table(), visits_table(), *shop]
    return Report(
        tables=[*printed, requests_table(groups, Counter(map(fine_group, rates))), _freshness(log, scores)],
        figures=[_figure(log, note)],
        notes=_notes(log, requests_a_day(groups), scores),
    )


def _weekly_changes(log: ChangeLog) -> list[float]:
    """The changes a week that the learning period shows; at most one in twenty minutes is seen."""
    seen = []
    for page in log.pages:
        looks = {at // (DAY // VISITS_A_DAY_WHILE_LEARNING) for at in page.changes if at < LEARNING_DAYS * DAY}
        seen.append(len(looks) / (LEARNING_DAYS / 7))
    return seen


def _scores(log: ChangeLog, table: float, note: Callable[[str], None]) -> dict[str, Score]:
    """The planners beside each other: daily visits of all, the groups' table, and others with what the table costs."""
    pages = len(log.pages)
    trials = {
        DAILY: Trial("uniform", float(pages)),
        BY_TABLE: Trial("groups", 2.0 * pages, VISITS_A_DAY_WHILE_LEARNING),
        "groups, two visits a day to learn": Trial("groups", 2.0 * pages),
        "groups-plus by their table": Trial("groups-plus", 2.0 * pages, VISITS_A_DAY_WHILE_LEARNING),
        "every page alike, as many requests": Trial("uniform", table),
        "adaptive x0.5/x1.2, as many requests": Trial("adaptive", table),
        "default, as many requests": Trial("default", table),
    }
    scores = {}
    for name, trial in trials.items():
        note(f"replaying: {name}")
        planner = make_planner(trial.planner, per_day=trial.per_day)
        scores[name] = replay(log, planner, trial.per_day, learning_visits=trial.learning_visits)
    return scores


def _freshness(log: ChangeLog, scores: Mapping[str, Score]) -> Table:
    daily = len(log.pages)
    return Table(
        title="Section 4.1.3, the claim of freshness: after four weeks of learning (no figures are printed)",
        columns=["plan", "stale %", "versions captured %", "requests a day", "saved %"],
        rows=[
            [
                name,
                round(100 * score.stale, 2),
                round(100 * score.captured, 1),
                round(score.requests_a_day, 1),
                round(100 * (1 - score.requests_a_day / daily), 1),
            ]
            for name, score in scores.items()
        ],
    )


def _figure(log: ChangeLog, note: Callable[[str], None]) -> Figure:
    lines: dict[str, Sequence[tuple[float, float]]] = {}
    for planner in ("default", "uniform", "groups"):
        points = []
        for rate in BUDGETS:
            note(f"replaying: {planner} with {rate:g} requests a page and day")
            per_day = rate * len(log.pages)
            score = replay(log, make_planner(planner, per_day=per_day), per_day)
            points.append((score.requests_a_day / len(log.pages), 100 * score.stale))
        lines[planner] = points
    return Figure(title="Staleness by budget", x="requests a page and day", y="stale %", lines=lines)


def _notes(log: ChangeLog, table: float, scores: Mapping[str, Score]) -> list[str]:
    pages = len(log.pages)
    saved, lived = pages - table, pages - scores[BY_TABLE].requests_a_day
    stale = {name: 100 * score.stale for name, score in scores.items()}
    years = VISITS_A_DAY_WHILE_LEARNING * LEARNING_DAYS * pages / saved / 365 if saved > 0 else float("inf")
    fresher = "held" if stale[BY_TABLE] < stale[DAILY] else "did not hold"
    said = [
        [
            "That table 3.5 follows from table 3.3 held: our groups and our table make the one from the other.",
            "That the groups cost 644 requests a day did not hold: rows G3 and G1 of table 4.2 are divided by more",
            "than their cycle; by the cycles they cost 792, which saves 34 % of daily visits and not 46.2 %.",
        ],
        [
            f"That requests are saved held: the table of the learning period costs {table:.0f} a day here, which saves",
            f"{100 * saved / pages:.1f} %. In the weeks after it {100 * lived / pages:.1f} % were saved: groups are",
            "computed anew from what visits showed, and rare visits show few changes (haenyeo plan NAME).",
        ],
        [
            f"That copies are fresher than with daily visits {fresher}: {stale[BY_TABLE]:.2f} % stale with the table,",
            f"{stale[DAILY]:.2f} % with daily visits; with as many requests as the table the default planner has",
            f"{stale['default, as many requests']:.2f} %.",
        ],
        [f"Watching every page every 20 minutes for four weeks costs what the table saves in {years:.1f} years."],
    ]
    return [" ".join(parts) for parts in said]
