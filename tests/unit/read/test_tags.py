from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from haenyeo.read.tags import (
    attributes_at,
    attributes_in_python,
    tags_named,
    tags_named_in_python,
    tags_with,
    tags_with_in_python,
)

MARKUP = st.lists(st.sampled_from(["<meta ", "<META/", "<metadata ", "<p>", "<p me", ">", "me", "<", "가", " "])).map(
    "".join
)


@given(html=MARKUP, most=st.integers(1, 4))
def test_tags_of_a_name_are_found_alike_with_and_without_compiled_code(html: str, most: int) -> None:
    found = tags_named(html, "meta", most)
    assert found == tags_named_in_python(html, "meta", most)
    assert all(re.match(r"<meta[\s/]", html[place:], re.IGNORECASE) for place in found)
    assert len(found) <= most


@given(html=MARKUP, most=st.integers(1, 4))
def test_tags_with_a_word_are_found_alike_with_and_without_compiled_code(html: str, most: int) -> None:
    found = tags_with(html, "me", most)
    assert found == tags_with_in_python(html, "me", most)
    assert found == sorted(set(found))
    assert all(html[place] == "<" for place in found)


def test_a_word_behind_the_tag_is_not_in_it() -> None:
    assert tags_with("<p>me</p>", "me", 9) == []
    assert tags_with("<p class=me>", "me", 9) == [0]


@given(html=st.text("ab= /\"'<>A\u212a\u3000\n", min_size=1), ahead=st.integers(0, 1))
def test_attributes_are_read_alike_with_and_without_compiled_code(html: str, ahead: int) -> None:
    places = list(range(len(html)))
    found = attributes_at(html, places, ahead)
    assert [list(tag.items()) for tag in found] == [
        list(tag.items()) for tag in attributes_in_python(html, places, ahead)
    ]


def test_attributes_are_read_however_they_are_written() -> None:
    html = '<meta Name = author\tCONTENT=\'Hana "H" Kim\' name=x data-none /lang=ko title="a = b"empty=""> class=no'
    assert attributes_at(html, [0]) == [
        {"name": "author", "content": 'Hana "H" Kim', "lang": "ko", "title": "a = b", "empty": ""}
    ]
    assert attributes_at("<p id=a><p id='b<p id=c", [0, 8, 16]) == [{"id": "a"}, {}, {"id": "c"}]
