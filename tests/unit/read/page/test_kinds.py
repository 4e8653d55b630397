from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from haenyeo.read.page.kinds import address_features


@given(st.text())
def test_any_address_says_as_much(url: str) -> None:
    assert len(address_features(url)) == len(address_features("https://reef.example/t/1"))


def test_addresses_of_one_form_are_alike_and_others_differ() -> None:
    thread = address_features("https://forum.reef.example/t/low-tide/12345")
    assert thread == address_features("https://forum.other.example/t/low-tide/67890")
    assert thread != address_features("https://reef.example/blog/2024/05/low-tide")
