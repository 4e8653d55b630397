from __future__ import annotations

import pytest

from haenyeo.model.pages import Block
from haenyeo.read.page.comments import below_headings


def below(*blocks: tuple[str, str]) -> list[str]:
    made = [Block(text, path) for text, path in blocks]
    marked = below_headings(made, sorted({block.path for block in made}))
    return [block.text for block, is_below in zip(made, marked.tolist(), strict=True) if is_below]


@pytest.mark.parametrize(
    "heading", ["Comments (7)", "comments: 12", "3", "댓글", "댓글 (7)", "댓글 3개", "コメント 2件", "Kommentare (1)"]
)
def test_a_heading_with_a_number_of_comments_is_one(heading: str) -> None:
    expected = [] if heading == "3" else [heading, "Me too!"]
    assert below(("A text.", "main>p"), (heading, "main>section>h2"), ("Me too!", "main>section>div>p")) == expected


@pytest.mark.parametrize("heading", ["Comments", "3. Comments", "3 Comments", "Comments in code", "Comments on 1984"])
def test_a_chapter_about_comments_is_none(heading: str) -> None:
    assert below((heading, "section>h2"), ("A comment begins with a sign.", "section>p")) == []


def test_comments_end_with_their_element() -> None:
    blocks = [("댓글 1", "div.a>h3"), ("Me too!", "div.a>p"), ("More", "div.b>p"), ("Another", "div.a>p")]
    assert below(*blocks) == ["댓글 1", "Me too!"]


def test_comments_end_at_the_next_heading_of_their_level() -> None:
    blocks = [("Comments (1)", "main>h3"), ("Hana", "main>h4"), ("Me too!", "main>p"), ("More", "main>h3")]
    assert below(*blocks) == ["Comments (1)", "Hana", "Me too!"]


def test_a_page_without_blocks_has_no_comments() -> None:
    assert below() == []
