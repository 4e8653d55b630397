from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.html.refresh import meta_refresh

BASE = "http://h.example/a/b"


@pytest.mark.parametrize(
    ("content", "seconds", "target"),
    [
        ("5", 5, BASE),
        (" 5 ; ", 5, BASE),
        ("0; url=c", 0, "http://h.example/a/c"),
        ("0;URL='/c'", 0, "http://h.example/c"),
        ('3, url = "c" and more', 3, "http://h.example/a/c"),
        ("3 c", 3, "http://h.example/a/c"),
        ("1.9; url=c", 1, "http://h.example/a/c"),
        (".5; url=c", 0, "http://h.example/a/c"),
        ("0; url=//i.example", 0, "http://i.example/"),
        ("0; url='c", 0, "http://h.example/a/c"),
        ("0; urlc", 0, "http://h.example/a/urlc"),
        ("9" * 5000 + "; url=c", 10**9, "http://h.example/a/c"),
    ],
)
def test_a_refresh_names_its_target(content: str, seconds: int, target: str) -> None:
    assert meta_refresh(content, BASE) == (seconds, target)


@pytest.mark.parametrize("content", ["", "soon", "; url=c", "-1; url=c", "1x; url=c", "1e1; url=c", "url=c"])
def test_what_browsers_ignore_is_no_refresh(content: str) -> None:
    assert meta_refresh(content, BASE) is None


@pytest.mark.parametrize("target", ["javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "http://"])
def test_only_web_addresses_are_targets(target: str) -> None:
    assert meta_refresh(f"0; url={target}", BASE) is None


@given(st.text(st.sampled_from("0123456789.;, \turl='\"/#?xé"), max_size=30))
def test_any_content_can_be_asked(content: str) -> None:
    answer = meta_refresh(content, BASE)
    assert answer is None or (answer[0] >= 0 and answer[1].startswith("http://"))
