"""Does a rule still find what it found before? If not, the layout has changed."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from haenyeo.watch.rules.profile import alike
from haenyeo.watch.rules.rule import Row, Rule
from haenyeo.watch.rules.tree import Tree

LEAST_FILLED = 0.5
"""Share of rows that must have a field, of the share that had it."""
LEAST_ALIKE = 0.1
"""Mean likeness to the values known, below which a field has changed its nature."""


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
