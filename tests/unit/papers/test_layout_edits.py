from __future__ import annotations

from collections import Counter

from haenyeo.papers.layout_edits import KINDS, at_commonest_tag, at_one_place, edits, main_pattern, tokens_of

ROWS = "".join(
    f'<tr><td><a href="/{n}">Result <b>{n}</b></a></td><td>Text of {n}.<br></td></tr><!-- {n} -->' for n in range(15)
)
PAGE = (
    f"<html><head><title>x</title></head><body><h1>Results</h1><table>{ROWS}</table><script>a<b</script></body></html>"
)


def test_formatting_tags_and_texts_are_one_token() -> None:
    names = [token.name for token in tokens_of("<body><p>a <i>b</i> c</p><script>if (a<b) {}</script>")]
    assert names == ["<BODY>", "<P>", "TEXT", "</P>"]


def test_the_main_pattern_is_one_record() -> None:
    pattern = main_pattern([token.name for token in tokens_of(PAGE)])
    assert pattern is not None
    assert pattern.count("<A>") == 1


def test_every_record_is_edited_in_eighteen_ways() -> None:
    made = list(edits(PAGE))
    assert Counter(edit.kind for edit in made) == dict.fromkeys(KINDS, 3)
    inserted = next(edit for edit in made if (edit.number, edit.kind) == (1, "I"))
    assert inserted.before == PAGE
    assert inserted.after.count("<table>") == 1 + 15
    deleted = next(edit for edit in made if (edit.number, edit.kind) == (1, "D"))
    assert (deleted.before, deleted.after) == (inserted.after, PAGE)


def test_a_page_without_repetition_is_not_edited() -> None:
    assert list(edits("<body><p>One.</p><p>Two.</p>")) == []


def test_places_can_be_chosen_without_a_pattern() -> None:
    short = "<body><ul><li><a>One</a></li><li><a>Two</a></li></ul><p><b>x</b>y</p></body>"
    assert list(edits(short)) == []
    inserted = next(edit for edit in edits(short, at_commonest_tag) if (edit.number, edit.kind) == (1, "I"))
    assert inserted.after.count("<table>") == 2
    once = next(edit for edit in edits(short, at_one_place) if (edit.number, edit.kind) == (1, "Is"))
    assert once.after.count("<i>") == 1
    assert list(edits(short, at_one_place)) == list(edits(short, at_one_place)), "the same for the same page"
    assert list(edits("<body>x", at_one_place)) == list(edits("<body>x", at_commonest_tag)) == []
