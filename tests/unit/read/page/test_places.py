from __future__ import annotations

import pytest

from haenyeo.model.pages import Block
from haenyeo.read.names import kinds_named
from haenyeo.read.page.outline import PageOutline
from haenyeo.read.page.places import (
    FAR,
    PLACE_FEATURES,
    TO_COMMENT,
    features_in_python,
    features_of,
    is_within,
    may_contain,
    place_features,
)


def feature(path: str, name: str, signs: str = "") -> float:
    return place_features(path, signs)[PLACE_FEATURES.index(name)]


@pytest.mark.parametrize(
    ("names", "kinds"),
    [
        ("post-content", {"article", "body"}),
        ("shareBar", {"share"}),
        ("RELATED_posts", {"related", "article"}),
        ("col-md-9", set()),
        ("", set()),
    ],
)
def test_words_in_names_tell_what_a_part_is(names: str, kinds: set[str]) -> None:
    assert set(kinds_named(names)) == kinds


def test_there_is_a_value_for_every_feature() -> None:
    assert len(place_features("div.a>p", "#main")) == len(PLACE_FEATURES)
    assert len(place_features("", "")) == len(PLACE_FEATURES)


def test_the_nearest_name_counts() -> None:
    assert feature("div.comments>div.comment>p", "steps to comment") == 1
    assert feature("div.sidebar>div.content>p", "steps to body") == 1
    assert feature("div.sidebar>div.content>p", "steps to edge") == 2


def test_signs_count_as_names_do() -> None:
    assert feature("div>p", "steps to body", "#content") == 0
    assert feature("div>p", "hidden", "#menu !hidden") == 1


def test_an_id_made_of_a_whole_sentence_names_a_chapter() -> None:
    for read in (features_of, features_in_python):
        chapter, comments = read(
            (Block("x", "p", 0, "#respond-to-review-comments"), Block("x", "p", 0, "#the-comments"))
        ).T
        assert chapter[TO_COMMENT] == FAR
        assert comments[TO_COMMENT] == 0


def test_comments_are_told_by_their_place() -> None:
    comment, thread = Block("x", "div.page>ol.commentlist>li"), Block("x", "div>div>p", 0, "#disqus_thread")
    text = Block("x", "div.post>p", 0, "#main")
    assert PageOutline((comment, thread, text)).at_comments.tolist() == [True, True, False]


@pytest.mark.parametrize(
    ("path", "container", "within"),
    [("div.a>p", "div.a", True), ("div.a", "div.a", True), ("div.ab>p", "div.a", False), ("p", "", True)],
)
def test_a_container_holds_what_leads_through_it(path: str, container: str, within: bool) -> None:
    assert is_within(path, container) is within


@pytest.mark.parametrize(("prefix", "possible"), [("div.a", True), ("", True), ("div>ul", False), ("div>p.x", False)])
def test_parts_of_a_text_contain_no_text_of_a_page(prefix: str, possible: bool) -> None:
    assert may_contain(prefix) is possible
