"""Do the promises still hold? Measures quality on the demo web and compares it with `floors.json`.

    python bench/gate.py           exit status 1 if a figure is below its floor
    python bench/gate.py --json

A floor may be raised, never lowered. Figures that need real pages are measured by the other commands of this folder,
which take a path to them.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

FLOORS = Path(__file__).parent / "floors.json"
Table = list[dict[str, Any]]


def tables(paper: str) -> dict[str, Table]:
    """The tables that repeating a paper's experiment prints, by the words before the colon of their titles."""
    command = [sys.executable, "-m", "haenyeo", "paper", paper, "--json"]
    printed = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    return {
        table["title"].partition(":")[0]: [dict(zip(table["columns"], row, strict=True)) for row in table["rows"]]
        for table in json.loads(printed)["tables"]
    }


def found_by_the_demo() -> dict[str, float]:
    """The share of the pages about each of the demo's topics, in percent, that it finds with little more fetches."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "haenyeo", "demo", "--json", "--out", f"{folder}/demo"]
        printed = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    return {row["topic"]: 100 * row["found"] / row["pages"] for row in json.loads(printed)["topics"]}


def figures() -> dict[str, float]:
    """Everything that has a floor."""
    layouts = tables("002")
    edits, unchanged, redesigns = layouts["The paper's table 5"], layouts["False alarms"], layouts["Redesigns"]
    blocks = {row["method"]: row["F"] for row in tables("003")["The same on all text nodes that are shown"]}
    alarms = {row["pages"]: row["default: alarm"] for row in redesigns}
    noticed = {name: min(row[f"{name} %"] for row in edits) for name in ("default", "vilo")}
    found = found_by_the_demo()
    return {
        "find: the demo's pages about an English topic, %": found["Women divers"],
        "find: the demo's pages about a Korean topic, %": found["해녀와 바다"],
        "watch: redesigns with other names that alarm, %": alarms["names"],
        "watch: full redesigns that alarm, %": alarms["full"],
        "watch: pairs of unchanged pages without alarm, %": 100 - max(row["default: alarm"] for row in unchanged),
        "watch: the paper's edits noticed, %": noticed["default"],
        "watch: the paper's edits noticed by vilo, %": noticed["vilo"],
        "read: F of the text blocks, container": blocks["container"],
        "read: F of the text blocks, labeller": blocks["labeller"],
    }


def main() -> int:
    """Measure, compare and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    seen, floors = figures(), json.loads(FLOORS.read_text())
    if options.json:
        print(json.dumps({name: {"seen": value, "floor": floors[name]} for name, value in seen.items()}, indent=1))
    else:
        print(f"{'':52}{'seen':>8}{'floor':>8}")
        for name, value in seen.items():
            print(f"{name:52}{value:8.3f}{floors[name]:8.3f}{'' if value >= floors[name] else '   below'}")
    return 0 if all(value >= floors[name] for name, value in seen.items()) else 1


if __name__ == "__main__":
    sys.exit(main())
