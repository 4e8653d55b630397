"""What watching costs and how well rules are repaired, on a data set of saved pages.

    python bench/watch.py DATA          a folder with index.json, in the form that docs/watch.md describes
    python bench/watch.py               costs alone, on the demo web

Repair: a rule is learned from two gold records of the page before a redesign and repaired on the page after it; F1 of
the different values of each field, mean over fields. `haenyeo paper 002 --data DATA` has edits and false alarms.
"""

from __future__ import annotations

import argparse
import importlib
import json
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any
from urllib.parse import urljoin

from haenyeo.html.charset import decode
from haenyeo.papers.layout_pages import pages_for
from haenyeo.watch.address_patterns import template_of
from haenyeo.watch.compare import compare_layouts
from haenyeo.watch.layout import describe_layout
from haenyeo.watch.rules.learn import learn_rule
from haenyeo.watch.rules.repair import repair_rule
from haenyeo.watch.rules.rule import Rule

ROUNDS = 3
KEPT, WRONG = 0.8, 0.5
ADDRESSES = {"url", "link"}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", type=Path)
    arguments = parser.parse_args()
    costs(pages_for(arguments.data).edited[:60])
    if arguments.data is not None:
        repairs(arguments.data)


def costs(pages: Sequence[str]) -> None:
    """CPU time of describing and comparing, beside an lxml parse where it is installed."""
    described = milliseconds(lambda html: describe_layout([html]), pages)
    layouts = [describe_layout([html]) for html in pages]
    compared = milliseconds(lambda layout: compare_layouts(layout, layouts[0]), layouts)
    named = milliseconds(
        template_of.__wrapped__, [f"https://a.example/2024/03/{n}/a-name-{n}.html" for n in range(1000)]
    )
    print(
        f"describe_layout {described:.2f} ms, compare_layouts {compared:.2f} ms, template of an address {named:.4f} ms"
    )
    try:
        lxml = importlib.import_module("lxml.html")
    except ImportError:
        return
    parsed = milliseconds(lxml.document_fromstring, [html.encode("utf-8", "replace") for html in pages])
    print(f"lxml parse {parsed:.2f} ms: describe_layout is {described / parsed:.2f} of it")


def milliseconds(work: Callable[[Any], object], inputs: Sequence[Any]) -> float:
    """CPU milliseconds for one input, the best of some rounds."""
    rounds = []
    for _ in range(ROUNDS):
        start = time.process_time()
        for value in inputs:
            work(value)
        rounds.append(time.process_time() - start)
    return 1000 * min(rounds) / len(inputs)


def repairs(folder: Path) -> None:
    """How well rules are learned and repaired."""
    index = json.loads((folder / "index.json").read_text(encoding="utf-8"))
    learned, as_is, repaired, answered = [], [], [], []
    for pair in index["redesign"]:
        gold = json.loads((folder / pair["gold"]).read_bytes())
        before, after = (decode((folder / pair[side]).read_bytes(), None) for side in ("before", "after"))
        rows = [{name: value[1] for name, value in record.items()} for record in gold["before"]]
        most = max(map(len, rows))
        rule = learn_rule(before, [row for row in rows if len(row) == most][:2])
        fixed = repair_rule(rule, after) if rule else None
        cut = gold.get("trunc", [False, False])
        for name in pair["fields"]:
            was, now = (wanted(gold[side], name) for side in ("before", "after"))
            learned.append(f1(found(rule, before, name), was, cut=cut[0]))
            as_is.append(f1(found(rule, after, name), now, cut=cut[1]))
            values = found(fixed, after, name)
            repaired.append(f1(values, now, cut=cut[1]))
            answered.append(bool(values))
    means = f"learned {fmean(learned):.3f}, as is {fmean(as_is):.3f}, repaired {fmean(repaired):.3f}"
    print(f"{len(repaired)} fields: {means}")
    wrong = [given and score < WRONG for given, score in zip(answered, repaired, strict=True)]
    print(
        f"kept {fmean(score >= KEPT for score in repaired):.1%}, abstained {1 - fmean(answered):.1%},"
        f" wrong {fmean(wrong):.1%}"
    )


def found(rule: Rule | None, html: str, name: str) -> list[str]:
    """The different values of a field that a rule finds."""
    rows = rule.extract(html) if rule else []
    return different(name, (row.get(name, "") for row in rows))


def wanted(records: Iterable[dict[str, Any]], name: str) -> list[str]:
    """The different values of a field in gold records."""
    return different(name, (record[name][1] for record in records if name in record))


def different(name: str, values: Iterable[str]) -> list[str]:
    """The values in the form in which they are compared, each once."""
    forms = (
        urljoin("https://a.example/", value.strip()) if name in ADDRESSES else "".join(value.split())
        for value in values
        if value
    )
    return list(dict.fromkeys(form for form in forms if form))


def f1(values: list[str], gold: list[str], *, cut: bool) -> float:
    """F1 of values; behind the last right one nothing is judged when the gold list was cut."""
    if cut:
        values = values[: max((place for place, value in enumerate(values, 1) if value in gold), default=0)]
    right = len(set(gold).intersection(values))
    return 2 * right / (len(values) + len(gold)) if right else 0.0


if __name__ == "__main__":
    main()
