"""Pages that were not judged have the kind of those whose text looks like theirs."""

from __future__ import annotations

from haenyeo.model.pages import Block
from haenyeo.read.site.kinds import SiteKinds, TextForm, text_sizes, text_sizes_in_python

CHAPTER, INDEX = TextForm(6.5, 0.05), TextForm(5.0, 0.95)


def test_a_chapter_is_no_list_though_most_judged_pages_are() -> None:
    kinds = SiteKinds()
    for _ in range(3):
        kinds.note(INDEX, "list")
    kinds.note(CHAPTER, "documentation")
    assert kinds.likeliest(TextForm(7.0, 0.1)) == "documentation"
    assert kinds.likeliest(TextForm(5.5, 0.8)) == "list"


def test_pages_alike_in_form_are_what_most_of_them_are() -> None:
    kinds = SiteKinds()
    for kind in ("article", "documentation", "documentation"):
        kinds.note(CHAPTER, kind)
    assert kinds.likeliest(CHAPTER) == "documentation"


def test_nothing_is_said_where_no_page_was_judged_or_none_had_text() -> None:
    kinds = SiteKinds()
    kinds.note(CHAPTER, "")
    assert kinds.likeliest(CHAPTER) == ""


def test_only_the_newest_pages_are_remembered() -> None:
    kinds = SiteKinds()
    kinds.note(CHAPTER, "article")
    for _ in range(64):
        kinds.note(INDEX, "list")
    assert kinds.likeliest(CHAPTER) == "list"


def test_the_form_of_blocks_is_their_length_and_what_is_linked() -> None:
    blocks = [Block(text="a menu", path="p", linked=6), Block(text="one two three four", path="p")]
    assert TextForm.of(blocks, [1]).linked == 0
    assert TextForm.of(blocks, [0]).linked == 1
    assert TextForm.of(blocks, [0, 1]).length > TextForm.of(blocks, [1]).length > TextForm.of(blocks, []).length == 0


def test_blanks_are_counted_whatever_the_letters_are() -> None:
    blocks = [Block(text, "p", 1) for text in ("low tide", "하루 두 번", "🌊 🌊 🌊", "")]
    for sizes in (text_sizes, text_sizes_in_python):
        assert sizes(blocks, [0, 1, 2, 3]) == (8 + 6 + 5, 1 + 2 + 2, 4)
        assert sizes(blocks, [1, 1]) == (12, 4, 2)
