"""Features as places in one table."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.find.learned.features import (
    TABLE,
    WORD_IDS,
    PageShape,
    PageWords,
    WordIds,
    address_features,
    link_words,
    place,
    shape_features,
)
from haenyeo.model.pages import Link, Url


def test_inflections_share_a_place_and_stop_words_have_none() -> None:
    assert WORD_IDS.of("the battery of batteries") == [place("battery")] * 2


def test_known_words_are_forgotten_before_they_fill_the_memory() -> None:
    ids = WordIds({str(number): number for number in range((1 << 19) + 1)})
    assert ids["whale"] == place("whale")
    assert len(ids) == 1


def test_words_of_the_title_weigh_more() -> None:
    page = PageWords.of("whale", "whale boat")
    weights = dict(zip(page.ids.tolist(), page.weights.tolist(), strict=True))
    assert weights[place("whale")] > weights[place("boat")] == 1.0
    assert len(page.ids) == 3


def test_a_page_without_words_has_none() -> None:
    page = PageWords.of("", "")
    assert len(page.ids) == len(page.weights) == 0


def test_a_link_has_the_words_of_its_anchor_and_of_its_surroundings() -> None:
    link = Link(url=Url("http://a.example/"), anchor="Whale watching", before="see the", after="in boats")
    found = link_words(link)
    assert found.anchor == [place("whale"), place("watch")]
    assert found.around == [place("see"), place("boat")]
    assert found.pieces


def test_addresses_of_one_shape_share_features() -> None:
    first = set(address_features("http://a.example/~kim/cs611/index.html"))
    second = set(address_features("http://b.example/~lee/cs540/index.html"))
    other = set(address_features("http://c.example/papers/"))
    assert len(first & second) > len(first & other)


@given(st.text(max_size=40))
def test_any_path_has_features_within_the_table(path: str) -> None:
    features = address_features(f"http://a.example/{path.replace('[', '').replace(']', '')}")
    assert features
    assert all(0 < number < TABLE for number in features)
    assert len(np.unique(features)) <= len(features)


def test_names_and_numbers_are_told_by_their_spelling() -> None:
    page = PageShape("http://a.example/people/", 30, {"ul>li": 30})

    def shape(anchor: str, url: str = "http://a.example/people/x/") -> list[int]:
        return shape_features(Link(url=Url(url), anchor=anchor, path="ul>li"), page)

    assert shape("Ada Lovelace") == shape("Grace Hopper") != shape("see also")
    assert shape("CS 611") == shape("CS 540") != shape("Ada Lovelace")
    assert shape("Ada Lovelace") != shape("Ada Lovelace", "http://b.example/people/x/"), "it leads elsewhere"
