from __future__ import annotations

import pytest

from haenyeo.watch.rules.places.selector import Selector, Step
from haenyeo.watch.rules.rule import Field, Rule, is_of_kind

DAYS = """
<h4>2024-03-01</h4><ul><li><a href="a.pdf">A</a></li><li><a href="b.html">B</a></li></ul>
<h4>Holiday</h4><ul><li><b>C</b></li></ul><h4>2024-03-02</h4><ul><li><a href="d.pdf">D</a></li><li></li></ul>
"""
RULE = Rule(
    record=Selector((Step("ul"), Step("li"))),
    fields={
        "name": Field(selectors=(Selector((Step("a"),)), Selector((Step("b"),)))),
        "file": Field(source="href", selectors=(Selector((Step("a"),)),), only=".pdf"),
        "day": Field(selectors=(Selector((Step("h4"),)),), shared=True, only="date"),
    },
)


def test_rows_stand_in_the_order_of_the_page() -> None:
    assert RULE.extract(DAYS) == [
        {"name": "A", "file": "a.pdf", "day": "2024-03-01"},
        {"name": "B", "day": "2024-03-01"},
        {"name": "C", "day": "2024-03-01"},
        {"name": "D", "file": "d.pdf", "day": "2024-03-02"},
    ]


def test_a_shared_value_below_all_records_holds_for_them() -> None:
    assert RULE.extract("<ul><li><a>A</a></li></ul><h4>2024-03-09</h4>") == [{"name": "A", "day": "2024-03-09"}]


@pytest.mark.parametrize("html", ["", "<p>nothing here</p>", "<h4>2024-03-01</h4>"])
def test_a_page_without_records_has_no_rows(html: str) -> None:
    assert RULE.extract(html) == []


def test_a_rule_survives_json_that_people_can_read() -> None:
    written = RULE.to_json()
    assert Rule.from_json(written) == RULE
    assert b'"only": ".pdf"' in written


def test_selectors_can_be_used_elsewhere() -> None:
    exported = RULE.selectors()
    assert exported[""]["css"] == ":scope > ul > li"
    assert exported["file"] == {"css": ":scope > a", "xpath": "./a"}


@pytest.mark.parametrize(
    ("value", "only", "expected"),
    [
        ("x", "", True),
        ("2024-03-01", "date", True),
        ("x", "date", False),
        ("a.PDF", ".pdf", True),
        ("a", ".pdf", False),
    ],
)
def test_values_of_another_kind_are_told(value: str, only: str, expected: bool) -> None:
    assert is_of_kind(value, only) == expected
