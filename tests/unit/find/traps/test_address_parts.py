import pytest
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.find.traps.address_parts import AddressPart, SplitAddress, may_have


@pytest.mark.parametrize(
    ("one", "other", "parts"),
    [
        ("/s/81af/item/3", "/s/77/item/3", (AddressPart("1.0", word="s", numeric=True),)),
        ("/81af/item", "/77/item", (AddressPart("0.0", shape="host 0.0 1.0", numeric=True),)),
        ("/item-3-x9", "/item-3-y8", (AddressPart("0.2", shape="host 0.0 0.1 0.2", numeric=True),)),
        ("/a?id=1&t=5", "/a?id=1&t=x", (AddressPart("?t"),)),
        ("/b/a;sid=5", "/b/a;sid=6", (AddressPart("1.2", word="b", numeric=True),)),
        ("/c/a/3", "/c/b/4", (AddressPart("1.0", word="c"), AddressPart("2.0", word="a", numeric=True))),
        ("/a/b", "/a/b", ()),
        ("/a/b", "/a/b/c", ()),
        ("/a?x=1", "/a?y=1", ()),
    ],
)
def test_the_parts_in_which_two_addresses_differ(one: str, other: str, parts: tuple[AddressPart, ...]) -> None:
    base = "https://a.example"
    assert SplitAddress(base + one).differing(SplitAddress(base + other)) == parts


def test_hosts_are_parts_too() -> None:
    parts = SplitAddress("http://s1.a.example/x").differing(SplitAddress("http://s2.a.example/x"))
    assert parts == (AddressPart("host", shape="host 0.0", numeric=True),)
    assert not SplitAddress("http://www.a.example/x").has(parts)


def test_a_part_belongs_behind_its_word() -> None:
    part = (AddressPart("1.0", word="s"),)
    assert SplitAddress("http://a.example/s/5/x").has(part)
    assert not SplitAddress("http://a.example/t/5/x").has(part)
    assert not SplitAddress("http://a.example/s").has(part)
    assert SplitAddress("http://a.example/s/5/x").without(part) == "http://a.example/s/*/x"
    assert SplitAddress("http://a.example/s/5/x").values(part) == "5"


@given(st.text("ab/-.;=?&_%1", max_size=400))
def test_an_address_is_the_sum_of_its_pieces(path: str) -> None:
    front, mark, query = f"http://a.example/{path}".partition("?")
    assert SplitAddress(front + mark + query).without(()) == (front + mark + query if query else front)


_addresses = st.text("ab/-?=&1.", max_size=12).map("http://a{}".format)


@given(_addresses, _addresses, _addresses)
def test_what_an_address_has_it_may_have(one: str, other: str, third: str) -> None:
    parts = SplitAddress(one).differing(SplitAddress(other))
    assert may_have(one, parts)
    assert may_have(third, parts) or not SplitAddress(third).has(parts)


def test_an_address_without_the_word_or_a_digit_is_known_to_lack_a_part() -> None:
    assert may_have("http://a.example/shop/5", (AddressPart("1.0", word="shop", numeric=True),))
    assert not may_have("http://b.test/x/5", (AddressPart("1.0", word="shop", numeric=True),))
    assert not may_have("http://a1.example/shop/x", (AddressPart("1.0", word="shop", numeric=True),))
