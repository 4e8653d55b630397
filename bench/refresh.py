"""How fresh do the planners keep pages whose changes are known, and what does a decision cost?

    python bench/refresh.py LOG.jsonl.gz [--planner default] [--rate 0.1] [--goal capture] [--json]
    python bench/refresh.py LOG.jsonl.gz --promise [--rate 0.1] [--half 0|1]
    python bench/refresh.py --scale 1000000

The log has a page in each line, {"url", "site", "born", "window": [start, end], "changes": [...]}, times in unix
seconds. Four weeks are for learning; then the share of page-time stale and of versions captured is measured at each
number of requests a page and day. With --promise, the changes that the default planner expected of its visits stand
beside those it found, week by week after the learning, on all sites or on every second one. With --scale, synthetic
pages are planned instead: seconds for one hour's decision.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from pathlib import Path
from typing import Any

from haenyeo import make_planner
from haenyeo.papers.change_logs import read_log
from haenyeo.refresh.replay import DAY, LEARNING_DAYS, ChangeLog, replay
from haenyeo.refresh.urgency import UrgencyPlanner

RATES = (0.02, 0.05, 0.1, 0.2, 0.5)
MONDAY = 1_700_438_400
HOUR = 3600


def main() -> None:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("log", type=Path, nargs="?")
    arguments.add_argument("--planner", action="append")
    arguments.add_argument("--rate", action="append", type=float)
    arguments.add_argument("--goal", choices=("fresh", "capture"), default="fresh")
    arguments.add_argument("--promise", action="store_true")
    arguments.add_argument("--half", type=int, choices=(0, 1))
    arguments.add_argument("--scale", type=int)
    arguments.add_argument("--json", action="store_true")
    options = arguments.parse_args()
    rows = scaled(options.scale) if options.scale else promised(options) if options.promise else replayed(options)
    for row in [] if options.json else rows:
        print("  ".join(f"{name} {value}" for name, value in row.items()))
    if options.json:
        print(json.dumps(rows))


def replayed(options: argparse.Namespace) -> list[dict[str, Any]]:
    """Each planner at each rate over the log."""
    log, rows = read_log(options.log), []
    for rate in options.rate or RATES:
        for name in options.planner or ("default", "uniform", "poisson", "nutch", "groups"):
            per_day = rate * len(log.pages)
            score = replay(log, make_planner(name, per_day=per_day, goal=options.goal), per_day)
            rows.append(
                {
                    "rate": rate,
                    "planner": name,
                    "stale %": round(100 * score.stale, 3),
                    "captured %": round(100 * score.captured, 1),
                }
            )
    return rows


def promised(options: argparse.Namespace) -> list[dict[str, Any]]:
    """Expected and observed changes of each week, and how far the worst week and all of them together are off."""
    log, rows = read_log(options.log), []
    if options.half is not None:
        chosen = set(sorted({page.site for page in log.pages})[options.half :: 2])
        log = ChangeLog([page for page in log.pages if page.site in chosen], log.length, log.start)
    for rate in options.rate or (0.1,):
        planner = make_planner("default", per_day=rate * len(log.pages))
        assert isinstance(planner, UrgencyPlanner)
        replay(log, planner, rate * len(log.pages))
        learnt = log.start + LEARNING_DAYS * DAY
        weeks = [week for week in planner.promise.weeks() if week.monday.timestamp() >= learnt]
        off = [100 * (week.expected / max(week.observed, 1) - 1) for week in weeks]
        rows += [
            {"rate": rate, "week": f"{week.monday:%F}", "expected": week.expected, "observed": week.observed}
            for week in weeks
        ]
        total = sum(week.expected for week in weeks) / max(1, sum(week.observed for week in weeks))
        rows.append({"rate": rate, "worst week %": round(max(map(abs, off)), 1), "all %": round(100 * (total - 1), 1)})
    return rows


def scaled(pages: int, hours: int = 6) -> list[dict[str, Any]]:
    """Seconds for one hour's decision with so many pages on sites of a thousand."""
    planner = make_planner("default", per_day=pages / 10)
    for start in range(0, pages, 50_000):
        numbers = range(start, min(start + 50_000, pages))
        sites = [f"site{number // 1000}.example" for number in numbers]
        urls = [f"https://{site}/page/{number}" for site, number in zip(sites, numbers, strict=True)]
        planner.add(urls, sites, MONDAY + start * 10 * 24 * HOUR // pages)
    seconds = []
    for hour in range(240, 240 + hours):
        began = time.perf_counter()
        due = planner.due(MONDAY + hour * HOUR, pages // 240)
        planner.observe(due, MONDAY + hour * HOUR, [number % 9 == 0 for number in range(len(due))])
        seconds.append(time.perf_counter() - began)
    return [{"pages": pages, "seconds an hour": round(statistics.median(seconds), 3)}]


if __name__ == "__main__":
    main()
