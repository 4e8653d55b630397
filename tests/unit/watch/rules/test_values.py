from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.watch.rules.values import comparable, essence, file_suffix, is_dated, value_kind


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("02/10/2023", "date"),
        ("Aug 22nd, 2013", "date"),
        ("13 March 2020", "date"),
        ("2024. 3. 5.", "date"),
        ("2024년 3월 5일", "date"),
        ("2013年8月4日", "date"),
        ("Date: 12/30/2022", "dated"),
        ("Opinions released the week of July 14, 2014", "dated"),
        ("August 2024", "text"),
        ("Marshall 12", "text"),
        ("$12.99", "price"),
        ("12,000원", "price"),
        ("1 204", "number"),
        ("22-ICA-10", "code"),
        ("SC99977:", "code"),
        ("State v. Bilbrey", "text"),
        ("바다의 해녀", "text"),
        ("word " * 60, "long"),
    ],
)
def test_values_are_of_a_kind(value: str, kind: str) -> None:
    assert value_kind(value) == kind
    assert is_dated(value) == (kind in ("date", "dated"))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("June 12, 2020", "2020-06-12"),
        ("6/12/20", "12 June 2020"),
        ("Filed Jun 12, 2020", "2020.06.12"),
        ("The  Reef!", "the reef"),
    ],
)
def test_one_thing_written_twice_has_one_essence(one: str, other: str) -> None:
    assert essence(one, "") == essence(other, "")


def test_the_essence_of_an_address_is_its_last_part() -> None:
    assert essence("/old/place/29131.pdf", "href") == essence("https://a.example/media/x/29131.pdf?v=2", "href")


@pytest.mark.parametrize(
    ("address", "suffix"),
    [("/a/b.PDF?x=1#y", "pdf"), ("/index.html", ""), ("https://a.example", ""), ("/a.b/c", ""), ("x.tar.gz", "gz")],
)
def test_documents_have_a_suffix_and_pages_none(address: str, suffix: str) -> None:
    assert file_suffix(address) == suffix


def test_addresses_are_compared_on_one_site_and_texts_without_space() -> None:
    assert comparable("/a/../b", "href") == comparable("https://site.example/b", "href")
    assert comparable("a\n b", "") == comparable("ab", "")
    assert comparable("http://[bad", "href") == "http://[bad"


@given(st.text(max_size=60), st.sampled_from(["", "href"]))
def test_any_value_has_a_kind_and_an_essence(value: str, source: str) -> None:
    assert value_kind(value)
    assert essence(value, source) == essence(value, source)
