from __future__ import annotations

import pytest

from haenyeo.read.names import KIND_OF, KINDS, kinds_named


def test_each_word_names_one_kind_of_part() -> None:
    assert sum(map(len, KINDS.values())) == len(KIND_OF)


@pytest.mark.parametrize(
    ("names", "kinds"),
    [
        ("post-content", ("article", "body")),
        ("shareBar", ("share",)),
        ("related_posts", ("related", "article")),
        ("commentList comment", ("comment",)),
        ("sideBar2 x9", ()),
        ("SIDEBAR", ("edge",)),
        ("", ()),
        ("댓글", ()),
    ],
)
def test_kinds_are_told_in_the_order_of_their_words(names: str, kinds: tuple[str, ...]) -> None:
    assert kinds_named(names) == kinds
