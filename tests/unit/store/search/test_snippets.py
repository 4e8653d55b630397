from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from haenyeo.store.search.snippets import Snippet, snippet_of
from haenyeo.store.search.terms import parse_query


def marked(snippet: Snippet) -> list[str]:
    return [piece for piece, is_marked in snippet.pieces() if is_marked]


def test_the_words_found_are_marked() -> None:
    snippet = snippet_of("The divers of Jeju. Jejudo is an island.", parse_query("jeju divers"))
    assert marked(snippet) == ["divers", "Jeju"]


def test_korean_words_are_marked_inside_longer_ones() -> None:
    assert marked(snippet_of("제주해녀가 해녀의 노래를", parse_query("해녀"))) == ["해녀", "해녀"]


def test_the_window_has_as_many_of_the_words_as_possible() -> None:
    text = "sea " + "filler " * 100 + "the sea urchin is here" + " filler" * 100
    snippet = snippet_of(text, parse_query("sea urchin"))
    assert "sea urchin is here" in snippet.text
    assert snippet.text.startswith("… ")
    assert snippet.text.endswith(" …")


def test_without_a_word_found_the_text_begins_at_its_beginning() -> None:
    assert snippet_of("Nothing of the kind.", parse_query("title")).text == "Nothing of the kind."


@given(st.text(max_size=600), st.text(max_size=40))
def test_pieces_joined_are_the_text(text: str, query: str) -> None:
    snippet = snippet_of(text, parse_query(query))
    assert "".join(piece for piece, _ in snippet.pieces()) == snippet.text
