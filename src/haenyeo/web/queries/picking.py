"""Fields picked by clicking: what the user pointed at, and the rows that a rule learnt from it would take."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import msgspec

from haenyeo.model.errors import StoreError
from haenyeo.store import Store, StoredPage
from haenyeo.watch.rules.learn import learn_rule
from haenyeo.watch.rules.rule import Row, Rule
from haenyeo.web.queries.one_page import original_html

MOST_FIELDS = 20
MOST_SHOWN = 200
LONGEST_NAME = 40
LONGEST_VALUE = 2000
_ROW = re.compile(r"value-(\d{1,3})")


class PickedField(msgspec.Struct, frozen=True):
    """One click of the user's: what the field is called and the value that was pointed at."""

    name: str
    value: str


class PickedColumn(msgspec.Struct, frozen=True):
    """A field of the rule and where it stands: from the record, or from the body where records share it."""

    name: str
    css: str
    shared: bool


class Preview(msgspec.Struct, frozen=True, kw_only=True):
    """What a rule learnt from the picked fields takes from the page; `missing` are fields it found no place for.

    `record` is where the records stand, as CSS from the body.
    """

    record: str = ""
    columns: Sequence[PickedColumn] = ()
    rows: Sequence[Row] = ()
    total: int = 0
    missing: Sequence[str] = ()


def picked_fields(given: Mapping[str, str]) -> list[PickedField]:
    """The fields of a form's `name-N` and `value-N`, in the order of their numbers; those left empty do not count."""
    numbers = sorted(int(found[1]) for key in given if (found := _ROW.fullmatch(key)))
    fields: dict[str, PickedField] = {}
    for number in numbers:
        value = given[f"value-{number}"].strip()[:LONGEST_VALUE]
        name = given.get(f"name-{number}", "").strip()[:LONGEST_NAME] or f"field {number}"
        if value and name not in fields:
            fields[name] = PickedField(name, value)
    return list(fields.values())[:MOST_FIELDS]


def picked_rule(html: str, fields: Sequence[PickedField]) -> Rule | None:
    """The rule for the records that are like the one pointed at; None when the page has no such records."""
    return learn_rule(html, [{field.name: field.value for field in fields}]) if fields else None


def preview_of(store: Store, page: StoredPage, fields: Sequence[PickedField]) -> Preview:
    """All rows that the fields picked so far would give; empty when they give none."""
    try:
        html = original_html(store, page)
    except StoreError:
        return Preview()
    rule = picked_rule(html, fields)
    if rule is None:
        return Preview(missing=[field.name for field in fields])
    rows = rule.extract(html)
    return Preview(
        record=rule.record.css(),
        columns=[PickedColumn(name, field.selectors[0].css(), field.shared) for name, field in rule.fields.items()],
        rows=rows[:MOST_SHOWN],
        total=len(rows),
        missing=[field.name for field in fields if field.name not in rule.fields],
    )
