from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.read.markdown.escapes import as_code, at_beginning, escaped

TEXTS = st.text(st.sampled_from("aB1 가*_`[]()<>&;#~\\!-+=.:|/x\n"), max_size=30)
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")


@given(text=TEXTS)
def test_a_reader_of_markdown_gets_back_the_text(text: str) -> None:
    assert _ESCAPE.sub(r"\1", escaped(text)) == text


@given(text=TEXTS)
def test_nothing_that_means_something_stays_bare(text: str) -> None:
    written = escaped(text)
    for meant in re.finditer(r"`|<[A-Za-z/!?]|&#?\w+;", written):
        assert written[meant.start() - 1] == "\\"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("# a", "\\# a"),
        ("#hashtag", "#hashtag"),
        ("- a", "\\- a"),
        ("-5 degrees", "-5 degrees"),
        ("> a", "\\> a"),
        ("1. a", "1\\. a"),
        ("1.5 litres", "1.5 litres"),
        ("1234567890. too long", "1234567890. too long"),
        ("---", "\\---"),
        ("===", "\\==="),
        ("~~~", "\\~~~"),
        ("", ""),
    ],
)
def test_signs_at_the_beginning_of_a_line_are_escaped_where_they_would_count(text: str, written: str) -> None:
    assert at_beginning(text) == written


@given(text=st.text(st.sampled_from("a` "), min_size=1, max_size=12))
def test_code_is_fenced_by_more_backticks_than_it_has(text: str) -> None:
    written = as_code(text)
    fence = re.match("`+", written)
    assert fence is not None
    length = len(fence[0]) if text[0] != "`" else written.index(" ")
    assert length > max(map(len, re.findall("`+", text)), default=0)
    assert written[length:-length].strip(" ") == text.strip(" ")
