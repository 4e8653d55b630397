"""What the judge notes of a page."""

from __future__ import annotations

import numpy as np
import pytest

from haenyeo.find.learned.judging.cut import best_cut
from haenyeo.find.learned.judging.keywords import Keywords
from haenyeo.find.learned.judging.traits import folders_of, is_list_address, traits_of, words_of_address
from haenyeo.model.pages import Url
from haenyeo.model.parts import LinkedPage


@pytest.mark.parametrize(
    ("topic", "text", "share"),
    [
        ("coral reefs", "the reef is of corals", 1.0),
        ("coral reef", "a coral coral coral", 0.5),
        ("coral", "", 0.0),
        ("", "coral", 0.0),
        ("데이터베이스 쿼리", "데이터 베이스에서", 0.0),
        ("데이터베이스 쿼리", "데이터베이스를", 0.5),
        ("함수형 프로그래밍", "함수형프로그래밍이란", 1.0),
        ("셀 시트", "셀 시트에", 1.0),
        ("셀", "셀프 서비스", 0.0),
    ],
)
def test_each_word_of_the_topic_counts_once(topic: str, text: str, share: float) -> None:
    assert Keywords(topic).share_in(text) == share


def test_the_parts_of_a_page_count_on_their_own() -> None:
    page = LinkedPage(
        key=1,
        url=Url("https://a.example/sea/coralReef.html"),
        title="A reef",
        main="word " * 100 + "coral reef",
        heading="Coral",
        subheadings="None",
    )
    assert traits_of(page, Keywords("coral reef")).coverage == (1.0, 1.0, 0.0, 0.0, 1.0)


@pytest.mark.parametrize(
    ("url", "listing"),
    [
        ("https://a.example/", True),
        ("https://a.example/tag/rust/", True),
        ("https://a.example/category/life", True),
        ("https://a.example/blog/page/2", True),
        ("https://a.example/doc/genindex-all.html", True),
        ("https://a.example/posts/stage-design", False),
        ("https://a.example/taglines.html", False),
        ("https://a.example/2020/10/archery", False),
    ],
)
def test_addresses_of_lists_are_known(url: str, listing: bool) -> None:
    assert is_list_address(url) is listing


def test_pages_share_the_folders_around_both() -> None:
    one, other = folders_of("https://a.example/doc/sea/x.html?y=/z/"), folders_of("https://a.example/doc/land/y.html")
    assert one[0] == other[0] != 0
    assert one[1] != other[1]
    assert one[2:] == (0, 0)
    assert not any(folders_of("https://a.example/x.html"))


def test_an_address_says_words() -> None:
    assert words_of_address("https://a.example/%EB%B0%94%EB%8B%A4/coralReef_2.html") == "바다 coral reef 2 html"


def test_where_all_is_sure_the_cut_lies_between() -> None:
    odds = np.array([5.0] * 10 + [-5.0] * 90)
    assert 0.5 < best_cut(odds) < 1


def test_where_hardly_anything_is_sure_pages_below_one_half_are_kept() -> None:
    assert best_cut(np.array([-1.0] * 20 + [-4.0] * 80)) < 0.3


def test_without_pages_the_cut_is_one_half() -> None:
    assert best_cut(np.zeros(0)) == 0.5
