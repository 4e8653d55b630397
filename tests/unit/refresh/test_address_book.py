from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.refresh.address_book import NOBODY, AddressBook

ADDRESSES = st.lists(st.text(alphabet="ab/:?가", max_size=12), max_size=60)


@given(first=ADDRESSES, second=ADDRESSES)
def test_every_address_has_one_number_and_every_number_its_address(first: list[str], second: list[str]) -> None:
    book = AddressBook()
    book.add(first)
    book.add(second)
    known = list(dict.fromkeys(first + second))
    assert book.urls(np.arange(len(book))) == known
    assert book.numbers(known).tolist() == list(range(len(known)))


def test_add_says_which_addresses_were_new_and_where_they_stood_first() -> None:
    book = AddressBook()
    assert book.add(["a", "b", "a"]).tolist() == [0, 1]
    assert book.add(["b", "c", "c"]).tolist() == [1]


def test_addresses_of_equal_hash_are_told_apart_by_their_text() -> None:
    book = AddressBook()
    addresses = [f"https://site{number % 7}.example/{number}" for number in range(100_000)]
    book.add(addresses)
    assert np.array_equal(book.numbers(addresses), np.arange(100_000))
    assert (book.numbers([address + "x" for address in addresses]) == NOBODY).all()


def test_a_restored_book_is_the_same_book() -> None:
    book, copy = AddressBook(), AddressBook()
    addresses = [f"https://a.example/{number}" for number in range(70_000)]
    book.add(addresses)
    copy.restore(*book.state())
    copy.add(["https://a.example/new"])
    assert copy.urls(np.array([69_999, 70_000])) == ["https://a.example/69999", "https://a.example/new"]
    assert np.array_equal(copy.numbers(addresses), np.arange(70_000))
