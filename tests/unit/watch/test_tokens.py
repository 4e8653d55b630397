from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.watch.tokens import TEXT_MARK, source_tokens


def shown(html: str) -> list[str]:
    return ["TEXT" if token[0] == TEXT_MARK else token for token in source_tokens(html)]


def test_tags_and_texts_stand_in_the_order_of_the_source() -> None:
    assert shown("<body><UL class=x><li>one<li><b>two</b></UL>") == [
        "body",
        "ul",
        "li",
        "TEXT",
        "li",
        "b",
        "TEXT",
        "/b",
        "/ul",
    ]


@pytest.mark.parametrize(
    "hidden",
    [
        "<!-- <p>no</p> -->",
        "<script>if (a<b) document.write('<p>no</p>')</script>",
        "<style>p > a { }</style>",
        "<SCRIPT>x</SCRIPT >",
    ],
)
def test_comments_scripts_and_styles_are_left_out(hidden: str) -> None:
    tokens = [token for token in shown(f"<body><p>a</p>{hidden}<p>b</p>") if token not in ("/script", "/style")]
    assert tokens == ["body", "p", "TEXT", "/p", "p", "TEXT", "/p"]


def test_the_head_is_left_out() -> None:
    assert shown("<html><head><title>t</title></head><body><p>a") == ["body", "p", "TEXT"]
    assert shown("<head><title>t</title></head><p>a") == ["/head", "p", "TEXT"]


def test_equal_texts_have_equal_tokens_whatever_the_space_around_them() -> None:
    first, second, third = (source_tokens(f"<p>{text}</p>")[1] for text in ("바다", "\n 바다  ", "섬"))
    assert first == second != third


@given(st.text(alphabet="<>/!- abscript\ud800\n\"'=", max_size=200))
def test_any_source_has_tokens(html: str) -> None:
    assert all(source_tokens(html))


@pytest.mark.parametrize("piece", ["<", "<a ", "<!--", "<script>", "<style", "</"])
def test_unfinished_markup_is_read_in_one_pass(piece: str) -> None:
    source_tokens(piece * 200_000)
