from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from haenyeo.fetch.transport.fields import Fields


def test_names_are_found_in_small_letters_and_the_first_counts() -> None:
    fields = Fields([(b"Set-Cookie", b"a=1"), (b"set-cookie", b"b=2"), (b"ETag", b'"x"')])
    assert fields.get("set-cookie") == "a=1"
    assert fields.all("set-cookie") == ("a=1", "b=2")
    assert "etag" in fields
    assert "ETag" not in fields
    assert fields.get("missing") == ""
    assert fields.all("missing") == ()


def test_letters_beyond_ascii_are_utf8_and_what_is_none_can_be_sent_back() -> None:
    fields = Fields([(b"Location", "/바다".encode()), (b"X-Old", b"caf\xe9")])
    assert fields.get("location") == "/바다"
    assert fields.get("x-old").encode("utf-8", "surrogateescape") == b"caf\xe9"


@given(headers=st.lists(st.tuples(st.binary(max_size=8), st.binary(max_size=12)), max_size=6))
def test_headers_are_shown_byte_by_byte_as_they_came(headers: list[tuple[bytes, bytes]]) -> None:
    shown = Fields(headers).shown
    assert [(name.encode("latin-1"), value.encode("latin-1")) for name, value in shown] == headers
