"""What a link looks like on its page."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.find.learned.features import place
from haenyeo.find.learned.features.links import (
    ANCHOR,
    AROUND,
    LINK_KINDS,
    PIECES,
    SHAPE,
    LinkFeatures,
    features_on_page,
    features_on_page_in_python,
    link_features,
    link_features_in_python,
)
from haenyeo.html.page_links import PageLinks
from haenyeo.html.parse import parse_html
from haenyeo.model.pages import Link, Url

_PAGE = "http://a.example/people/"
_ADDRESSES = st.sampled_from(
    [
        "http://a.example/",
        "http://a.example",
        "http://a.example/people/",
        "http://a.example/people/x/y/z.html?q=/1/2",
        "http://a.example/papers/1.html",
        "http://b.example/people/",
    ]
)
_LINKS = st.builds(
    lambda url, anchor, sides, path: Link(url=Url(url), anchor=anchor, before=sides[0], after=sides[1], path=path),
    _ADDRESSES,
    st.text(max_size=260)
    | st.sampled_from(["CS 611", "Ada Lovelace", "see also", "가나다 함수를", "日本語の文章", ""]),
    st.tuples(st.text(max_size=40), st.text(max_size=40)),
    st.sampled_from(["", "p", "ul>li", "div.x>ul>li", "div>p>"]),
)


def _lists(found: LinkFeatures, link: int = 0) -> list[list[int]]:
    bounds = [0, *found.ends.ravel().tolist()][link * LINK_KINDS :]
    return [found.flat[bounds[kind] : bounds[kind + 1]].tolist() for kind in range(LINK_KINDS)]


def _found(links: list[Link]) -> LinkFeatures:
    return link_features(_PAGE, links, [link.path for link in links])


def _shape(anchor: str, url: str = "http://a.example/people/x/") -> list[int]:
    return _lists(_found([Link(url=Url(url), anchor=anchor, path="ul>li")]))[SHAPE]


def test_a_link_has_the_words_of_its_anchor_and_of_its_surroundings() -> None:
    link = Link(url=Url("http://a.example/"), anchor="Whale watching", before="see the", after="in boats")
    found = _lists(_found([link]))
    assert found[ANCHOR] == [place("whale"), place("watch")]
    assert found[AROUND] == [place("see"), place("boat")]
    assert place("~whal") in found[PIECES]
    assert place("~whale_watching") in found[PIECES]


def test_names_and_numbers_are_told_by_their_spelling() -> None:
    assert _shape("Ada Lovelace") == _shape("Grace Hopper") != _shape("see also")
    assert _shape("CS 611") == _shape("CS 540") != _shape("Ada Lovelace")
    assert _shape("Ada Lovelace") != _shape("Ada Lovelace", "http://b.example/people/x/"), "it leads elsewhere"


def test_links_with_one_path_are_at_one_place() -> None:
    links = [Link(url=Url(_PAGE), path=path) for path in ("p", "ul>li", "p")]
    found = _found(links)
    assert found.group.tolist() == [0, 1, 0]
    assert found.groups == 2


def test_a_link_that_is_not_described_has_no_features_but_counts_beside_others() -> None:
    links = [Link(url=Url(_PAGE), anchor=anchor, path="ul>li") for anchor in ("one", "two", "three", "four")]
    some = link_features(_PAGE, [*links[:3], None], ["ul>li"] * 4)
    assert [_lists(some, link) for link in range(3)] == [_lists(_found(links), link) for link in range(3)]
    assert _lists(some, 3) == [[]] * LINK_KINDS
    assert some.group.tolist() == [0, 0, 0, 0]


@given(_ADDRESSES, st.lists(st.tuples(_LINKS, st.booleans()), max_size=6))
def test_compiled_code_finds_the_same(url: str, all_links: list[tuple[Link, bool]]) -> None:
    links = [link if described else None for link, described in all_links]
    paths = [link.path for link, _ in all_links]
    _assert_same(link_features(url, links, paths), link_features_in_python(url, links, paths))


_MARKUP = ("<p>", "<ul><li>", "<a href=/x>", "<a href=/people/y>", "<a href=//b.example/>", "</a>", "<img alt=Map>")
_TEXT = ("one ", "CS&nbsp; 611 ", "해녀는 ", "日本語", "\u0130", "\u03a3")


@given(st.lists(st.sampled_from(_MARKUP + _TEXT), max_size=40).map("".join), st.sets(st.integers(0, 10)))
def test_links_have_the_same_features_where_they_stand_and_by_themselves(html: str, some: set[int]) -> None:
    markup = parse_html(html, Url(_PAGE))
    links = PageLinks(markup, markup.links)
    places = np.array(sorted(place for place in some if place < len(links)), np.int64)
    _assert_same(features_on_page(_PAGE, links, places), features_on_page_in_python(_PAGE, links, places))


def _assert_same(quick: LinkFeatures, plain: LinkFeatures) -> None:
    assert quick.flat.tolist() == plain.flat.tolist()
    assert quick.ends.tolist() == plain.ends.tolist()
    assert quick.group.tolist() == plain.group.tolist()
    assert quick.groups == plain.groups


def test_an_endless_anchor_is_cut() -> None:
    found = _found([Link(url=Url(_PAGE), anchor="x" * 100_000, before="y " * 100_000)])
    assert len(found.flat) < 1000
