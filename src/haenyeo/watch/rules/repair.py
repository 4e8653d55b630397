"""Repair: where are a rule's records on a page whose layout changed?

The rule as it is, and every group of like elements, are candidates. Each field takes the column with the most evidence,
inside the group or shared, and the group with the best fields wins. What is not sure enough is left out; a rule most of
whose fields are unsure is not repaired at all, because wrong rows are worse than none.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence

import msgspec

from haenyeo.watch.rules.evidence import (
    ALONE,
    WEIGHING,
    FieldMemory,
    Least,
    Looks,
    Surroundings,
    Weighing,
    surroundings,
    weighed_group,
)
from haenyeo.watch.rules.fit import Fit, fitted_rule, remembering, shared_column
from haenyeo.watch.rules.places.columns import ValueColumn, columns
from haenyeo.watch.rules.places.groups import Group, Labels, record_groups, same_places
from haenyeo.watch.rules.places.sections import section_of
from haenyeo.watch.rules.places.tree import Element, Tree
from haenyeo.watch.rules.rule import Rule, is_of_kind

SHARED_COSTS = 2.0
"""Evidence that a column outside the records must have more than one inside."""
BETWEEN_COSTS = 1.5
"""The same for headings that stand between the records."""
WORST = 8.0
"""A field can speak so much against a group, no more."""
KEEPING = 0.6
"""Evidence for each field that another place must have more than the rule as it is."""
LEAST_CONFIDENCE = 0.1
"""Below this a rule is not repaired."""
MANY_MORE = 6
"""More than so many times as many records, none of them known nor under a known heading, may be more than our list."""
OWN_FIELDS = 2
"""Fields inside the records that must be sure where no value is known: one column alone may be any list's."""
STILL_THERE = 0.9
"""Share of the values found that must be known, in all fields, for the page to be the one the rule is of."""
_SURE = 4.0


class Candidate(msgspec.Struct, eq=False):
    """A group with the best column for each field, and how much speaks for them.

    `fit` is by how much its fields fall short of the best on the page; `seen` is what else speaks for the group.
    """

    group: Group
    own: dict[str, ValueColumn]
    shared: dict[str, ValueColumn]
    scores: dict[str, float]
    seen: Surroundings = ALONE
    fit: float = 0.0
    worth: float = 0.0


def repair_rule(rule: Rule, new_html: str, *, weighing: Weighing = WEIGHING) -> Rule | None:
    """The rule as it works on the new page, or None when its records are not found with enough certainty.

    A rule that still works comes back as it is, with the values it found.
    """
    tree = Tree(new_html)
    memories = {
        name: FieldMemory(field, rule.rows, weighing.evidence, name=name)
        for name, field in rule.fields.items()
        if field.values
    }
    if not tree.elements or not memories:
        return None
    if _is_the_same(tree, rule, memories):
        return msgspec.structs.replace(remembering(tree, rule), confidence=1.0)
    looks = Looks(tree)
    kept = _as_it_is(tree, looks, rule, memories)
    found = candidates(tree, looks, rule, memories, weighing.group)
    best = max(found, key=lambda each: each.worth, default=None)
    if kept is not None and (best is None or sum(kept.values()) + KEEPING * len(memories) >= sum(best.scores.values())):
        return _sure_enough(remembering(tree, rule), kept, memories, weighing.least)
    return _repaired(tree, rule, best, memories, weighing.least) if best is not None else None


def _is_the_same(tree: Tree, rule: Rule, memories: Mapping[str, FieldMemory]) -> bool:
    """Whether the rule finds nearly all it knows in the old places: then there is nothing to repair."""
    rows = [rule.values_of(tree, row) for row in rule.find(tree)]
    columns_found = {name: [row[name] for row in rows if name in row] for name in memories}
    return 2 * len(rows) >= rule.rows and all(
        memories[name].known(values) >= STILL_THERE for name, values in columns_found.items()
    )


def _as_it_is(tree: Tree, looks: Looks, rule: Rule, memories: Mapping[str, FieldMemory]) -> dict[str, float] | None:
    """The evidence for what the rule finds on the new page; None when it does not find all its fields."""
    rows = rule.find(tree)
    scores = {}
    for name, memory in memories.items():
        nodes = [row[name] for row in rows if name in row]
        if not nodes:
            return None
        values = [tree.value(node, memory.field.source) for node in nodes]
        score = memory.score(looks, ValueColumn(memory.field.source, nodes, values, []), len(rows))
        if score is None:
            return None
        scores[name] = score
    return scores


def candidates(
    tree: Tree, looks: Looks, rule: Rule, memories: Mapping[str, FieldMemory], weights: Surroundings
) -> list[Candidate]:
    """Every group of the page in which a field is found, with its best columns and its worth."""
    labels = Labels(tree)
    shared = _shared_columns(tree, looks, labels, memories)
    found = []
    for group in record_groups(tree, labels):
        inside = columns(tree, labels, group, {memory.field.source for memory in memories.values()})
        candidate = _candidate(looks, group, inside, memories, shared)
        if candidate.own:
            candidate.seen = surroundings(group, rule.rows, len(inside))
            found.append(candidate)
    top = {name: max((each.scores[name] for each in found if name in each.scores), default=0.0) for name in memories}
    for candidate in found:
        candidate.fit = sum(max(candidate.scores.get(name, -math.inf) - top[name], -WORST) for name in memories) / 3
        candidate.worth = weighed_group(candidate.seen, candidate.fit, weights)
    return found


def _candidate(
    looks: Looks,
    group: Group,
    inside: Sequence[ValueColumn],
    memories: Mapping[str, FieldMemory],
    shared: Mapping[str, tuple[float, ValueColumn]],
) -> Candidate:
    candidate = Candidate(group, {}, {}, {})
    for name, memory in memories.items():
        for column in inside:
            if column.source == memory.field.source:
                score = memory.score(looks, column, len(group.roots))
                if score is not None and score > candidate.scores.get(name, -math.inf):
                    candidate.scores[name] = score
                    candidate.own[name] = column
        if name in candidate.own:
            candidate.own[name] = memory.tightest(candidate.own[name], inside)
        if name in shared:
            score, column = shared[name]
            _consider_shared(candidate, name, score, column)
    return candidate


def _consider_shared(candidate: Candidate, name: str, score: float, column: ValueColumn) -> None:
    """Use the column outside the records if there is more evidence for it; headings between records cost less."""
    roots = candidate.group.roots
    between = sum(roots[0].number < node.number < roots[-1].number for node in column.nodes)
    score -= BETWEEN_COSTS if between > 1 else SHARED_COSTS
    if score > candidate.scores.get(name, -math.inf):
        candidate.own.pop(name, None)
        candidate.shared[name] = column
        candidate.scores[name] = score


def _shared_columns(
    tree: Tree, looks: Looks, labels: Labels, memories: Mapping[str, FieldMemory]
) -> dict[str, tuple[float, ValueColumn]]:
    """For dates, and for fields that were shared before, the best column of elements in like places."""
    found: dict[str, tuple[float, ValueColumn]] = {}
    wanted = {name: memory for name, memory in memories.items() if memory.dated or memory.field.shared}
    for place in same_places(tree, labels) if wanted else ():
        for name, memory in wanted.items():
            column = _of_kind(tree, place, memory)
            score = memory.score(looks, column, len(column.nodes)) if column.nodes else None
            if score is not None and (name not in found or _rank(score, column) > _rank(*found[name])):
                found[name] = score, column
    return found


def _of_kind(tree: Tree, place: Sequence[Element], memory: FieldMemory) -> ValueColumn:
    """The column of those elements whose values are of the field's kind."""
    whole = shared_column(tree, place, memory.field.source)
    only = memory.only([value for value in whole.values if value])
    kept = [node for node, value in zip(place, whole.values, strict=True) if value and is_of_kind(value, only)]
    return shared_column(tree, kept, memory.field.source)


def _rank(score: float, column: ValueColumn) -> tuple[float, int]:
    return round(score, 6), column.nodes[0].depth


def _repaired(
    tree: Tree, rule: Rule, best: Candidate, memories: Mapping[str, FieldMemory], least: Least
) -> Rule | None:
    columns_found = best.own | best.shared
    only = {name: memories[name].only([v for v in column.values if v]) for name, column in columns_found.items()}
    fit = Fit(best.group, best.own, best.shared, {name: only[name] for name in rule.fields if name in only}, best.worth)
    scores = {name: score for name, score in best.scores.items() if name not in _torn_apart(rule, best)}
    fitted = fitted_rule(tree, fit, version=rule.version + 1)
    under = section_of(tree, best.group.roots, rule.around)
    if under is not None:
        fitted = remembering(tree, msgspec.structs.replace(fitted, under=under))
    repaired = _sure_enough(fitted, scores, memories, least) if fitted.rows else None
    return None if repaired is None or _may_be_another_list(rule, repaired, memories) else repaired


def _torn_apart(rule: Rule, best: Candidate) -> set[str]:
    """Fields that had all their values in common with another one and now stand elsewhere than it.

    What was known of them was of both, so only the one of which there is more evidence can be told.
    """
    held = best.own | best.shared
    weaker = set()
    for one, other in itertools.permutations(held, 2):
        together = rule.fields[one].source == rule.fields[other].source and (
            rule.fields[one].values == rule.fields[other].values
        )
        if together and held[one].values != held[other].values and best.scores[one] < best.scores[other]:
            weaker.add(one)
    return weaker


def _may_be_another_list(rule: Rule, repaired: Rule, memories: Mapping[str, FieldMemory]) -> bool:
    """Whether no value is known, and there are too few fields or too many records to take it for the same list."""
    if any(memories[name].known(field.values) for name, field in repaired.fields.items()):
        return False
    own = sum(not field.shared for field in repaired.fields.values())
    too_many = repaired.under is None and repaired.rows > MANY_MORE * rule.rows
    return own < min(OWN_FIELDS, len(memories)) or too_many


def _sure_enough(
    rule: Rule, scores: Mapping[str, float], memories: Mapping[str, FieldMemory], least: Least
) -> Rule | None:
    """The rule with the fields that are sure; None when fewer than half are."""
    sure = [name for name, memory in memories.items() if scores.get(name, -math.inf) >= least.of(memory)]
    if 2 * len(sure) < len(memories) or all(rule.fields[name].shared for name in sure):
        return None
    confidence = sum(min(scores[name] / _SURE, 1.0) for name in sure) / len(memories)
    if confidence < LEAST_CONFIDENCE:
        return None
    fields = {name: field for name, field in rule.fields.items() if name in sure}
    return msgspec.structs.replace(rule, fields=fields, confidence=round(confidence, 3))
