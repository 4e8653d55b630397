"""Records: the tables that rules take from list pages."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from haenyeo.collect.adapters.watching.saved_rules import SavedRule
from haenyeo.collect.adapters.watching.shelf import Shelf
from haenyeo.model.errors import NotThereError
from haenyeo.store import Store, StoredRow


class RuleTable(msgspec.Struct, frozen=True, kw_only=True):
    """A rule and the first of its records."""

    rule: SavedRule
    columns: Sequence[str]
    rows: Sequence[StoredRow]
    total: int

    @property
    def selectors(self) -> list[tuple[str, str]]:
        """Where the fields are, as CSS; the record itself first."""
        return [(name or "record", forms["css"]) for name, forms in self.rule.rule.selectors().items()]


def rule_tables(store: Store, most_rows: int) -> list[RuleTable]:
    """All rules with the first rows of each."""
    return [_table(store, rule, most_rows) for rule in Shelf(store)]


def rules_with_counts(store: Store) -> list[tuple[SavedRule, int]]:
    """All rules, and how many records each has taken."""
    counts = store.row_counts()
    return [(rule, counts.get(rule.name, 0)) for rule in Shelf(store)]


def rule_named(store: Store, name: str) -> SavedRule:
    """The rule of this name; raises `NotThereError` if there is none."""
    rule = Shelf(store).get(name)
    if rule is None:
        raise NotThereError("there is no rule of this name")
    return rule


def records_of(store: Store, name: str) -> list[StoredRow]:
    """The records that the rule of this name has taken; raises `NotThereError` if there is no such rule."""
    return store.rows(rule_named(store, name).name)


def _table(store: Store, rule: SavedRule, most_rows: int) -> RuleTable:
    rows = store.rows(rule.name)
    columns = list(dict.fromkeys(name for row in rows[:most_rows] for name in row.fields))
    return RuleTable(rule=rule, columns=columns or list(rule.rule.fields), rows=rows[:most_rows], total=len(rows))
