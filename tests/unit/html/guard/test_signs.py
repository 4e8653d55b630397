from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from haenyeo.html.guard.signs import Sign, behind_in_python, behind_signs

SIGN = Sign(b"<p", 1)


@given(text=st.text("<p>é\ud800"), most=st.integers(0, 3), length=st.integers(0, 4))
def test_the_same_stands_behind_signs_in_text_and_in_bytes(text: str, most: int, length: int) -> None:
    page = text.encode("utf-8", "surrogatepass")
    found = behind_signs(text, SIGN, most, length)
    assert found == behind_signs(page, SIGN, most, length) == behind_in_python(page, SIGN, most, length)
    assert len(found) == min(most, text.count("<p"))


def test_a_piece_may_be_as_short_as_the_page() -> None:
    assert behind_signs("<p>me<p", SIGN, 9, 50) == [b">me<p", b""]
