"""What the judge notes of a page."""

from __future__ import annotations

import numpy as np
import pytest

from haenyeo.find.learned.features.words import word_ids
from haenyeo.find.learned.judging.cut import best_cut
from haenyeo.find.learned.judging.keywords import Keywords
from haenyeo.find.learned.judging.traits import is_list_address, traits_of, words_of_address
from haenyeo.find.learned.regression import chance
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
    assert Keywords(topic).shares_in(text, word_ids(text), (text,)) == (share, share)


@pytest.mark.parametrize(
    ("topic", "text", "share"),
    [
        ("レイヤーマスク", "レイヤー を重ねる", 0.0),
        ("レイヤーマスク", "このレイヤーマスクの編集", 1.0),
        ("依存関係の解決", "パッケージの依存関係", 0.5),
        ("猫の写真", "猫は写真を", 1.0),
        ("GIMPのブラシ", "gimp でブラシ", 1.0),
        ("依赖关系", "软件的依赖", 1 / 3),
    ],
)
def test_a_japanese_word_ends_where_the_script_changes(topic: str, text: str, share: float) -> None:
    assert Keywords(topic).shares_in(text, word_ids(text), (text,)) == (share, share)


@pytest.mark.parametrize(
    ("topic", "language", "text", "share"),
    [
        ("Zahlenformate in Zellen", "de", "Das Zahlenformat einer Zelle", 1.0),
        ("Zahlenformate in Zellen", "de", "Zahl und Zelt", 0.0),
        ("маски слоёв", "ru", "Маска слоя", 1.0),
        ("calques", "fr", "Un calque", 1.0),
        ("Zellen", "en", "eine Zelle", 0.0),
        ("", "de", "Zelle", 0.0),
    ],
)
def test_words_count_in_any_form_they_take_in_the_language_of_the_page(
    topic: str, language: str, text: str, share: float
) -> None:
    assert Keywords(topic).shares_in(text, word_ids(text), (text,), language) == (share, share)


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
        ("https://a.example/doc/index-k.html", True),
        ("https://a.example/doc/index-functions.html", False),
        ("https://a.example/doc/manual_toc.html", True),
        ("https://a.example/search.php?q=reef", True),
        ("https://a.example/board?list=all&page=3", True),
        ("https://a.example/board?id=3", False),
        ("https://a.example/til/binary-search", False),
        ("https://a.example/python/list_comprehensions.html", False),
        ("https://a.example/docs/git-archive.html", False),
        ("https://a.example/wiki/List_of_sovereign_states", False),
        ("https://a.example/all-about-corals/", False),
    ],
)
def test_addresses_of_lists_are_known(url: str, listing: bool) -> None:
    assert is_list_address(url) is listing


def test_a_name_that_is_a_word_of_the_topic_makes_no_list() -> None:
    url = "https://a.example/ref/postgres/search.html"
    assert is_list_address(url, Keywords("coral reefs"))
    assert not is_list_address(url, Keywords("full text search"))
    assert is_list_address("https://a.example/tag/search/", Keywords("full text search"))


def test_an_address_says_words() -> None:
    assert words_of_address("https://a.example/%EB%B0%94%EB%8B%A4/coralReef_2.html") == "바다 coral reef 2 html"


def test_where_all_is_sure_the_cut_lies_between() -> None:
    odds = np.array([5.0] * 10 + [-3.0] * 90)
    assert best_cut(odds) == pytest.approx(chance(1.0))


def test_where_hardly_anything_is_sure_pages_below_one_half_are_kept() -> None:
    assert best_cut(np.array([-1.0] * 20 + [-4.0] * 80)) < 0.3


def test_without_pages_the_cut_is_one_half() -> None:
    assert best_cut(np.zeros(0)) == 0.5
