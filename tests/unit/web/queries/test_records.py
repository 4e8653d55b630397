from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from haenyeo.model.errors import NotThereError
from haenyeo.model.pages import Url
from haenyeo.store import NewRow, Store
from haenyeo.web.queries.records import records_of, rule_named, rule_tables, rules_with_counts


@pytest.fixture
def folder(shop: Path) -> Path:
    return shop


def fill(folder: Path, count: int) -> None:
    page = Url("https://shop.example/list")
    rows = [NewRow(rule="goods", key=str(n), page=page, fields={"name": f"n{n}"}) for n in range(count)]
    with Store.open(folder, writing=True) as store:
        store.put_rows(rows, datetime(2025, 3, 1, tzinfo=UTC))


def test_a_rule_without_records_has_the_columns_of_its_fields(folder: Path) -> None:
    with Store.open(folder, writing=False) as store:
        [table] = rule_tables(store, 25)
        assert (table.total, list(table.columns), list(table.rows)) == (0, ["name", "price"], [])
        assert [name for name, _ in table.selectors] == ["record", "name", "price"]


def test_only_the_first_records_are_in_a_table(folder: Path) -> None:
    fill(folder, 7)
    with Store.open(folder, writing=False) as store:
        [table] = rule_tables(store, 3)
        assert (table.total, list(table.columns)) == (7, ["name"])
        assert [row.fields["name"] for row in table.rows] == ["n0", "n1", "n2"]
        [(rule, count)] = rules_with_counts(store)
        assert (rule.name, count) == ("goods", 7)
        assert len(records_of(store, "goods")) == 7


def test_a_rule_that_is_not_there_is_said_so(folder: Path) -> None:
    with Store.open(folder, writing=False) as store:
        assert rule_named(store, "goods").url == "https://shop.example/list"
        with pytest.raises(NotThereError, match="no rule"):
            records_of(store, "bads")
