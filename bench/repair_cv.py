"""How sure are repairs on sites nothing was chosen on? Weights are chosen on half of the sites and judged on the rest.

    python -m bench.repair_cv DATA [--half 1|2]       a folder with index.json, in the form that docs/watch.md describes

Every redesign is repaired in both directions, so there are twice as many. For each half of the sites the weights of
the evidence and of groups are fitted (a softmax over all columns, then over all groups of the new page, the right ones
to be the most probable, weights held small), then one of two degrees of caution is chosen, where a wrong field costs as
much as three that are left out; a bolder one would take a login page's links for records. Printed are F1 of the
different values, the share of fields with wrong values (F1 below one half) and of fields left out, each for the other
half. Sites whose names begin alike stay together.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt
from bench.watch import WRONG, different, f1, found, wanted

from haenyeo.html.charset import decode
from haenyeo.watch.rules.evidence import WEIGHING, Evidence, FieldMemory, Least, Looks, Surroundings, Weighing
from haenyeo.watch.rules.learn import learn_rule
from haenyeo.watch.rules.places.columns import columns
from haenyeo.watch.rules.places.groups import Labels, record_groups
from haenyeo.watch.rules.places.tree import Tree
from haenyeo.watch.rules.repair import candidates, repair_rule
from haenyeo.watch.rules.rule import Rule, is_of_kind

Floats = npt.NDArray[np.float64]
Table = tuple[Floats, npt.NDArray[np.bool_]]
HELD_SMALL = 0.2  # the penalty on squared weights, for each case
STEPS, PACE = 120, 0.1
RIGHT = 0.9  # of the best F1 on the page
COST = 3.0
LEAST = (Least(date=0.0, link=1.2, text=1.6), Least())
"""Degrees of caution, the most cautious first."""


class Case(NamedTuple):
    """A rule of one page, to be repaired on another whose right values are known."""

    name: str
    site: str
    rule: Rule
    html: str
    gold: dict[str, list[str]]
    cut: bool


class Judged(NamedTuple):
    """Means over fields, and which of them got wrong values."""

    f1: float
    wrong: float
    left_out: float
    wrong_ones: list[str]


def main() -> None:
    """Fit on each half, judge the other, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--half", type=int, choices=(1, 2))
    arguments = parser.parse_args()
    cases = read_cases(arguments.data)
    if arguments.half is None:
        print_line("as shipped", cases, WEIGHING)
    for number, (chosen_on, judged_on) in enumerate(halves(cases), 1):
        if arguments.half not in (None, number):
            continue
        weighing = fitted(chosen_on)
        print_line(f"half {number}, chosen on the other", judged_on, weighing)
        print(f"    least evidence: date {weighing.least.date}, link {weighing.least.link}, text {weighing.least.text}")


def read_cases(folder: Path) -> list[Case]:
    """All redesigns, forwards and backwards, for which a rule is learnt from two gold records."""
    cases = []
    for pair in json.loads((folder / "index.json").read_text(encoding="utf-8"))["redesign"]:
        gold = json.loads((folder / pair["gold"]).read_bytes())
        cut = dict(zip(("before", "after"), gold.get("trunc", [False, False]), strict=True))
        for before, after in (("before", "after"), ("after", "before")):
            old, new = (decode((folder / pair[side]).read_bytes(), None) for side in (before, after))
            rows = [{name: record[name][1] for name in pair["fields"] if name in record} for record in gold[before]]
            most = max(map(len, rows))
            rule = learn_rule(old, [row for row in rows if len(row) == most][:2])
            if rule is not None:
                values = {name: wanted(gold[after], name) for name in pair["fields"]}
                cases.append(Case(f"{pair['gold']} {after}", pair["site"], rule, new, values, cut[after]))
    return cases


def halves(cases: Sequence[Case]) -> list[tuple[list[Case], list[Case]]]:
    """The cases of every second maker of sites and the others, and the other way round."""
    names = {case.name: re.sub(r"_.*", "", case.site) for case in cases}
    first = set(sorted(set(names.values()))[::2])
    these = [case for case in cases if names[case.name] in first]
    those = [case for case in cases if names[case.name] not in first]
    return [(those, these), (these, those)]


def fitted(cases: Sequence[Case]) -> Weighing:
    """All that is chosen on these cases."""
    tables = [table for case in cases for table in column_tables(case)]
    weights = Evidence(**_named(Evidence, softmax_weights(tables)))
    seen = [group_table(case, weights) for case in cases]
    groups = Surroundings(**_named(Surroundings, softmax_weights(seen)))

    def worth(least: Least) -> float:
        judged = judge(cases, Weighing(evidence=weights, group=groups, least=least))
        return judged.f1 - COST * judged.wrong

    return Weighing(evidence=weights, group=groups, least=max(LEAST, key=worth))


def column_tables(case: Case) -> list[Table]:
    """For each field the evidence of all columns of the new page, and which of them are right."""
    tree = Tree(case.html)
    looks, labels, memories = Looks(tree), Labels(tree), memories_of(case, WEIGHING.evidence)
    rows: dict[str, dict[tuple[float, ...], float]] = {name: {} for name in memories}
    for group in record_groups(tree, labels):
        for column in columns(tree, labels, group, {memory.field.source for memory in memories.values()}):
            for name, memory in memories.items():
                evidence = memory.evidence(looks, column, len(group.roots)) if _fits(memory, column.source) else None
                if evidence is not None:
                    key = tuple(np.round(msgspec.structs.astuple(evidence), 4))
                    rows[name][key] = max(rows[name].get(key, 0.0), right_share(case, name, memory, column.values))
    return [_table(list(each), list(each.values())) for each in rows.values() if max(each.values(), default=0) >= WRONG]


def group_table(case: Case, weights: Evidence) -> Table:
    """What is seen of all groups of the new page, and which of them are right."""
    tree = Tree(case.html)
    memories = memories_of(case, weights)
    seen, shares = [], []
    for candidate in candidates(tree, Looks(tree), case.rule, memories, WEIGHING.group):
        held = candidate.own | candidate.shared
        seen.append((candidate.fit, *msgspec.structs.astuple(candidate.seen)[1:]))
        shares.append(
            fmean(
                right_share(case, name, memories[name], held[name].values) if name in held else 0 for name in memories
            )
        )
    return _table(seen, shares)


def memories_of(case: Case, weights: Evidence) -> dict[str, FieldMemory]:
    """What the rule remembers of the fields that are judged."""
    fields = {name: field for name, field in case.rule.fields.items() if field.values and name in case.gold}
    return {name: FieldMemory(field, case.rule.rows, weights, name=name) for name, field in fields.items()}


def right_share(case: Case, name: str, memory: FieldMemory, values: Sequence[str]) -> float:
    """F1 of a column's values as those of a field."""
    filled = [value for value in values if value]
    only = memory.only(filled)
    kept = different(name, (value for value in filled if is_of_kind(value, only)))
    return f1(kept, case.gold[name], cut=case.cut)


def softmax_weights(tables: Sequence[Table]) -> list[float]:
    """Weights by which the right rows are the most probable of each table (Adam; Kingma & Ba 2015)."""
    used = [(rows, right) for rows, right in tables if right.any()]
    weights, first, second = (np.zeros(used[0][0].shape[1]) for _ in range(3))
    for step in range(1, STEPS + 1):
        slope = HELD_SMALL * len(used) * weights - sum(_pull(rows, right, weights) for rows, right in used)
        first, second = 0.9 * first + 0.1 * slope, 0.999 * second + 0.001 * slope**2
        weights = weights - PACE * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
    return [float(weight) for weight in weights]


def judge(cases: Sequence[Case], weighing: Weighing) -> Judged:
    """How well the rules are repaired."""
    scores, answered, wrong_ones = [], [], []
    for case in cases:
        repaired = repair_rule(case.rule, case.html, weighing=weighing)
        for name, gold in case.gold.items():
            values = found(repaired, case.html, name)
            scores.append(f1(values, gold, cut=case.cut))
            answered.append(bool(values))
            if values and scores[-1] < WRONG:
                wrong_ones.append(f"{case.site} {name}")
    return Judged(fmean(scores), len(wrong_ones) / len(scores), 1 - fmean(answered), wrong_ones)


def print_line(title: str, cases: Sequence[Case], weighing: Weighing) -> None:
    """Print what is reached, forwards and backwards apart."""
    ways: dict[str, Callable[[Case], bool]] = {
        "forwards": lambda case: case.name.endswith("after"),
        "backwards": lambda case: case.name.endswith("before"),
    }
    for way, goes in ways.items():
        judged = judge([case for case in cases if goes(case)], weighing)
        print(f"{title:32} {way:10} F1 {judged.f1:.3f}, wrong {judged.wrong:.1%}, left out {judged.left_out:.1%}")
        print(*(f"    wrong: {field}\n" for field in judged.wrong_ones), sep="", end="")


def _named(kind: type[msgspec.Struct], weights: Sequence[float]) -> dict[str, float]:
    """The weights by the names of the struct's fields."""
    return dict(zip(kind.__struct_fields__, weights, strict=True))


def _fits(memory: FieldMemory, source: str) -> bool:
    return memory.field.source == source


def _table(rows: Sequence[Sequence[float]], shares: Sequence[float]) -> Table:
    best = max(shares, default=0.0)
    right = np.array([share >= RIGHT * best > 0 for share in shares], np.bool_)
    return np.array(rows, np.float64), right


def _pull(rows: Floats, right: npt.NDArray[np.bool_], weights: Floats) -> Floats:
    """By how much the right rows are better than the probable ones."""
    scores = rows @ weights
    chances = np.exp(scores - scores.max())
    chosen = chances * right
    pull: Floats = (chosen / chosen.sum() - chances / chances.sum()) @ rows
    return pull


if __name__ == "__main__":
    main()
