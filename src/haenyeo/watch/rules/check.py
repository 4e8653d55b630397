"""Does a rule still find what it found before? If not, the layout has changed; and does a repair find it again?"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

import msgspec

from haenyeo.watch.rules.places.tree import Tree
from haenyeo.watch.rules.profile import alike
from haenyeo.watch.rules.rule import Row, Rule
from haenyeo.watch.rules.values import essence

LEAST_FILLED = 0.5
"""Share of rows that must have a field, of the share that had it."""
LEAST_ALIKE = 0.1
"""Mean likeness to the values known, below which a field has changed its nature."""


LEAST_COMMON = 3
"""Records that must be found again, if so many were known."""
SURE, LIKELY = 0.5, 0.2
"""Shares of the records and of each field's values that must be as before; to be sure, also of their order."""


class RuleCheck(msgspec.Struct, frozen=True, kw_only=True):
    """What a rule finds on a page; `broken` says, a sentence each, what it used to find and no longer does."""

    rows: tuple[Row, ...] = ()
    broken: tuple[str, ...] = ()

    @property
    def works(self) -> bool:
        """Whether the rule still finds what it found before."""
        return not self.broken


def check_rule(rule: Rule, html: str) -> RuleCheck:
    """The rows of a page and whether they are like those that the rule was fitted to."""
    tree = Tree(html)
    rows = tuple(rule.values_of(tree, row) for row in rule.find(tree))
    if not rows:
        return RuleCheck(broken=("no records are found",))
    return RuleCheck(rows=rows, broken=troubles(rule, rows))


def troubles(rule: Rule, rows: Sequence[Row]) -> tuple[str, ...]:
    """What is wrong with rows as values of the rule's fields, whichever version of it found them; empty if nothing."""
    found = (_trouble(rule, name, [row[name] for row in rows if name in row], len(rows)) for name in rule.fields)
    return tuple(trouble for trouble in found if trouble)


def _trouble(rule: Rule, name: str, values: list[str], rows: int) -> str:
    """What is wrong with a field's values; empty if they are as before."""
    field = rule.fields[name]
    if not field.values:
        return ""
    before = field.profile.values * field.profile.repeated / max(rule.rows, 1)
    if len(values) < LEAST_FILLED * before * rows:
        return f"{name} is in {len(values)} of {rows} records"
    likeness = sum(alike(field.profile, value) for value in values) / len(values) if values else 0.0
    return f"{name} has values of another kind, such as {values[0]!r}" if likeness < LEAST_ALIKE else ""


class Agreement(msgspec.Struct, frozen=True, kw_only=True):
    """How far rows are those known before.

    `common` counts the rows known before and `share` is their part of the shorter side; `fields` is, for each field,
    the share of them that have the same value; `order` the share of neighbours that follow each other as before.
    """

    common: int = 0
    enough: bool = False
    share: float = 0.0
    fields: dict[str, float] = {}
    order: float = 0.0

    @property
    def sure(self) -> bool:
        """Whether nothing else can be meant."""
        return self.order >= SURE and self._reaches(SURE)

    @property
    def likely(self) -> bool:
        """Whether it is enough once the page has been seen like this again."""
        return self._reaches(LIKELY)

    def _reaches(self, least: float) -> bool:
        return self.enough and min(self.share, *self.fields.values()) >= least


def agreement(known: Sequence[Row], found: Sequence[Row], sources: Mapping[str, str]) -> Agreement:
    """How far the rows found agree with those known; `sources` names the fields to compare and where they come from."""
    if not known or not found or not sources:
        return Agreement()
    before, after = _essences(known, sources), _essences(found, sources)
    pairs = list(_pairs(before, after, least=(len(sources) + 1) // 2))
    if not pairs:
        return Agreement()
    same = {name: sum(before[old].get(name) == after[new].get(name) for old, new in pairs) for name in sources}
    forward = [later[0] > earlier[0] for earlier, later in pairwise(pairs)]
    return Agreement(
        common=len(pairs),
        enough=len(pairs) >= min(LEAST_COMMON, len(known)) and len(pairs) > 1,
        share=round(len(pairs) / min(len(known), len(found)), 3),
        fields={name: round(count / len(pairs), 3) for name, count in same.items()},
        order=round(sum(forward) / len(forward), 3) if forward else 1.0,
    )


def _essences(rows: Sequence[Row], sources: Mapping[str, str]) -> list[Row]:
    return [{name: essence(row[name], source) for name, source in sources.items() if row.get(name)} for row in rows]


def _pairs(before: Sequence[Row], after: Sequence[Row], *, least: int) -> Iterator[tuple[int, int]]:
    """Rows of both sides that have at least so many values in common, each row once, in the order of the new page."""
    where: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for number, row in enumerate(before):
        for value in row.items():
            where[value].append(number)
    free = set(range(len(before)))
    for new, row in enumerate(after):
        met = Counter(old for value in row.items() for old in where.get(value, ()) if old in free)
        if met:
            old, times = max(met.items(), key=lambda each: (each[1], -each[0]))
            if times >= least:
                free.discard(old)
                yield old, new
