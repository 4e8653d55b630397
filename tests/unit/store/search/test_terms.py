from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.store.search.terms import index_characters, index_terms, match_expression, parse_query


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Women divers of Jeju", "women divers of jeju"),
        ("제주해녀가 물질을", "제주 주해 해녀 녀가 물질 질을"),
        ("섬", "섬"),
        ("HTML5파서 v2.0", "html5 파서 v2.0"),
        ("Café, 제주!", "café, 제주 !"),
        ("海女は素潜り", "海女 女は は素 素潜 潜り"),
        ("Jeju \uff15 \ufb01sh", "jeju 5 fish"),
        ("", ""),
    ],
)
def test_words_stay_whole_and_cjk_becomes_pairs(text: str, terms: str) -> None:
    assert index_terms(text).split() == terms.split()


def test_characters_are_noted_as_they_are_composed() -> None:
    assert index_characters(unicodedata.normalize("NFD", "섬과 굴") + " sea") == "과 굴 섬"


@pytest.mark.parametrize(
    ("query", "expression"),
    [
        ("sea urchin", '({title text} : "sea" AND {title text} : "urchin")'),
        ('"sea urchin" -shop', '({title text} : "sea urchin") NOT {title text} : "shop"'),
        ("dive*", '({title text} : "dive"*)'),
        ("di*", '({title text} : "di")'),
        ("제주해녀", '({title text} : "제주 주해 해녀")'),
        ("굴", '(characters : "굴")'),
        ('un"closed', '({title text} : "un closed")'),
        ("-only", ""),
        ('"" * - AND', '({title text} : "and")'),
        ("   ", ""),
    ],
)
def test_a_query_becomes_an_expression_of_the_index(query: str, expression: str) -> None:
    assert match_expression(parse_query(query)) == expression


@given(st.text())
def test_an_expression_has_no_quote_of_the_users(query: str) -> None:
    terms = [part for part in parse_query(query) if part.words]
    assert all('"' not in word for part in terms for word in part.words)
