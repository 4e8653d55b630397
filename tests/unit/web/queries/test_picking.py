from __future__ import annotations

from haenyeo.web.queries.picking import MOST_FIELDS, PickedField, picked_fields, picked_rule


def test_fields_come_in_the_order_of_their_numbers() -> None:
    given = {"value-10": "b", "name-10": "second", "name-2": "first", "value-2": " a ", "other": "x"}
    assert picked_fields(given) == [PickedField("first", "a"), PickedField("second", "b")]


def test_a_value_without_a_name_gets_one_and_an_empty_value_does_not_count() -> None:
    assert picked_fields({"value-1": "a", "value-2": " ", "name-2": "x"}) == [PickedField("field 1", "a")]


def test_a_name_that_comes_again_does_not_count() -> None:
    given = {"name-1": "a", "value-1": "1", "name-2": "a", "value-2": "2"}
    assert picked_fields(given) == [PickedField("a", "1")]


def test_there_is_a_limit_to_fields() -> None:
    assert len(picked_fields({f"value-{number}": "a" for number in range(99)})) == MOST_FIELDS


def test_without_fields_there_is_no_rule() -> None:
    assert picked_rule("<ul><li>a<li>b</ul>", []) is None
