"""Compiled loops say what the Python they stand for says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.html.parse import parse_html
from haenyeo.model.pages import Block, Url
from haenyeo.read.documents import text_in_python, text_of
from haenyeo.read.page.forest import Forest
from haenyeo.read.page.judge import JudgedPage
from haenyeo.read.page.places import features_in_python, features_of
from haenyeo.read.page.texts import measure, measure_in_python
from haenyeo.read.page.tree import MAX_PREFIXES, prefixes_in_python, prefixes_of, rows_in_python, rows_of
from haenyeo.read.site.reader import SiteReader
from haenyeo.read.tags import COMPILED, tags_named, tags_named_in_python, tags_with, tags_with_in_python

_SOME_TEXTS = st.lists(
    st.one_of(
        st.text(max_size=80),
        st.text("aA zZ.!?\"'):\u2026\u3002\uff01\u201d\u2019\n09٣²漢あ해Ω", max_size=70),
        st.sampled_from(
            ["12 comments", "Posted By Hana", "ALL THE SEA", "He said \u201cdive.\u201d", "\ud800 lone", ""]
        ),
    ),
    max_size=12,
)
_STEPS = "div.post-content ul.navMenu li p.articleBody main.a.b table td form.sideBar h1 figure.해녀 ol.x nav option"
_SIGNS = "#comments @main !hidden #relatedPosts @articleBody #x1 #댓글 @navigation"
_PATHS = st.lists(st.sampled_from(_STEPS.split()), max_size=7).map(">".join)
_PLACED = st.builds(
    Block,
    st.just("text"),
    _PATHS,
    st.just(0),
    st.lists(st.sampled_from(_SIGNS.split()), max_size=4).map(" ".join),
)


@given(_SOME_TEXTS)
def test_texts_are_measured_alike(texts: list[str]) -> None:
    found, expected = measure(texts), measure_in_python(texts)
    for column in found._fields:
        assert getattr(found, column).dtype == getattr(expected, column).dtype
        assert getattr(found, column).tolist() == getattr(expected, column).tolist()


@given(st.lists(_PLACED, max_size=8).map(tuple))
def test_places_have_the_same_features(blocks: tuple[Block, ...]) -> None:
    assert features_of(blocks).tolist() == features_in_python(blocks).tolist()


@given(st.lists(_PATHS, max_size=12))
def test_paths_have_the_same_prefixes(paths: list[str]) -> None:
    assert as_lists(prefixes_of(paths)) == as_lists(prefixes_in_python(paths))


def test_places_have_the_same_features_however_long_their_paths_are() -> None:
    paths = [">".join(["div.nav"] * steps) for steps in (60, 59, 61, 3, 47, 48, 49, 0, 61)]
    blocks = tuple(Block("text", path) for path in paths)
    assert features_of(blocks).tolist() == features_in_python(blocks).tolist()


@given(st.lists(_PATHS, max_size=12), st.integers(1, 6))
def test_paths_hang_together_alike(paths: list[str], levels: int) -> None:
    _, ends, parents, _ = prefixes_of(paths)
    found: tuple[Any, ...] = rows_of(ends, parents, levels)
    expected: tuple[Any, ...] = rows_in_python(ends, parents, levels)
    assert [(rows.dtype, rows.tolist()) for rows in found] == [(rows.dtype, rows.tolist()) for rows in expected]


def as_lists(found: tuple[Any, ...]) -> list[list[Any]]:
    return [list(part) for part in found]


def test_no_more_prefixes_are_told_apart_than_there_is_room_for() -> None:
    paths = [f"div.a{number}>p>b" for number in range(MAX_PREFIXES)]
    assert as_lists(prefixes_of(paths)) == as_lists(prefixes_in_python(paths))
    assert len(prefixes_of(paths)[0]) == MAX_PREFIXES


@given(st.integers(0, 2**32 - 1), st.integers(0, 40))
def test_trees_add_up_alike(seed: int, blocks: int) -> None:
    random = np.random.default_rng(seed)
    forest = Forest(
        random.integers(0, 6, (9, 3)),
        random.integers(0, 4, (9, 3)).astype(np.float32),
        random.normal(size=(9, 8)),
        0.25,
    )
    columns = random.integers(0, 5, (6, blocks)).astype(np.float32)
    expected = 1 / (1 + np.exp(-(forest.sums_in_python(columns) + forest.base)))
    assert forest.probabilities(columns).tolist() == expected.astype(np.float32).tolist()


def test_pages_are_skimmed_alike(make_site: Callable[..., Any]) -> None:
    site = make_site(5)
    reader = SiteReader()
    for number in range(14):
        page = site.product(number) if number % 4 == 1 else site.article(number)
        reader.learn(JudgedPage.of(parse_html(page[1], Url(page[0]))))
    for page in [
        site.article(20),
        site.product(21),
        ("http://a.test/", "<p>1 2 3<p>1<p>" + 2 * (900 * "x" + "<p>"), ""),
    ]:
        blocks = parse_html(page[1], Url(page[0])).blocks
        reader.skim(blocks)
        skimmer = reader.skimmer
        assert skimmer is not None
        assert skimmer.kept(blocks) == skimmer.kept_in_python(blocks)
        assert skimmer.kept_or_own(blocks) == skimmer.kept_or_own_in_python(blocks)


_MARKUP = st.lists(
    st.sampled_from([*"<>/ =a해𝄞\ud800", "<meta ", "<META\n", "<meta", "<Metal ", "author", "authority", 70 * "x"]),
    max_size=30,
).map("".join)


@given(_MARKUP, st.integers(1, 4))
def test_the_same_tags_are_found(html: str, most: int) -> None:
    assert tags_named(html, "meta", most) == tags_named_in_python(html, "meta", most)
    assert tags_with(html, "author", most) == tags_with_in_python(html, "author", most)
    assert tags_with(html, "a", most) == tags_with_in_python(html, "a", most)


@pytest.mark.parametrize(
    "function", ["measure", "places", "path_tree", "tree_rows", "add_trees", "skim", "tags_named", "tags_with"]
)
def test_what_cannot_be_read_is_refused(function: str) -> None:
    if COMPILED is not None:
        with pytest.raises(TypeError):
            getattr(COMPILED, function)(None)


@given(st.lists(_PLACED, max_size=12))
def test_blocks_are_joined_alike(blocks: list[Block]) -> None:
    assert text_of(blocks) == text_of(tuple(blocks)) == text_in_python(blocks)
