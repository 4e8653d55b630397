from __future__ import annotations

import pytest

from haenyeo.watch.rules.check import agreement

Row = dict[str, str]
SOURCES = {"title": "", "price": "", "link": "href"}


def goods(*names: str) -> list[Row]:
    return [{"title": f"The {name}", "price": f"€{len(name)}.00", "link": f"/goods/{name}"} for name in names]


NAMES = ("mask", "snorkel", "lantern", "belt", "rope")


def test_the_same_records_are_sure_wherever_their_addresses_begin() -> None:
    found = [{**row, "link": f"https://a.example/shop{row['link']}"} for row in goods(*NAMES)]
    agreed = agreement(goods(*NAMES), found, SOURCES)
    assert agreed.sure
    assert (agreed.common, agreed.share, agreed.order) == (5, 1.0, 1.0)
    assert agreed.fields == {"title": 1.0, "price": 1.0, "link": 1.0}


def test_half_of_the_records_being_new_does_no_harm() -> None:
    assert agreement(goods(*NAMES), goods("net", "hook", "float", *NAMES[:3]), SOURCES).sure


@pytest.mark.parametrize(
    "found",
    [
        pytest.param([], id="none"),
        pytest.param(goods("net", "hook", "float"), id="other records"),
        pytest.param(goods(*NAMES[:2]), id="too few of them"),
        pytest.param([{**row, "price": row["title"]} for row in goods(*NAMES)], id="a field with other values"),
        pytest.param([{"title": row["title"]} for row in goods(*NAMES)], id="one value of three"),
    ],
)
def test_it_is_not_sure_of(found: list[Row]) -> None:
    assert not agreement(goods(*NAMES), found, SOURCES).sure


def test_another_order_is_likely_once_it_has_been_seen_twice() -> None:
    agreed = agreement(goods(*NAMES), goods("belt", "rope", "lantern", "snorkel", "mask"), SOURCES)
    assert not agreed.sure
    assert agreed.likely


def test_a_list_of_two_is_enough_when_both_are_found_again() -> None:
    assert agreement(goods(*NAMES[:2]), goods(*NAMES[:2]), SOURCES).sure
    assert not agreement(goods(*NAMES[:1]), goods(*NAMES[:1]), SOURCES).sure
