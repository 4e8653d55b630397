from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from haenyeo.read.runs import Image, Run, TextPiece, runs_of


def runs(html: str) -> list[Run]:
    return [run for run in runs_of(html) if isinstance(run, Run)]


def test_blocks_part_runs_and_inline_elements_do_not() -> None:
    first, second = runs("<p>one <b>two</b> <i>three</i></p><p>four</p>")
    assert [piece.text for piece in first.pieces] == ["one ", "two", " ", "three"]
    assert [piece.mark for piece in first.pieces] == ["", "**", "", "*"]
    assert second.pieces == [TextPiece("four")]
    assert first.tags == second.tags == ("p",)
    assert first.blocks != second.blocks


def test_the_innermost_form_and_link_count() -> None:
    (run,) = runs("<p><a href='/out'><b><code>x</code></b></a><a href=''>y</a>")
    assert run.pieces == [TextPiece("x", "/out", "`"), TextPiece("y")]


def test_a_mark_outside_of_the_block_does_not_count() -> None:
    assert runs("<b><p>whole</p></b>")[0].pieces[0].mark == ""


def test_line_breaks_and_images_stand_where_they_are() -> None:
    found = list(runs_of("<p>a<br>b<img src='/i.png' alt='an image'>c"))
    assert [type(each) for each in found] == [Run, Image, Run]
    assert isinstance(found[0], Run)
    assert "".join(piece.text for piece in found[0].pieces) == "a\nb"
    assert found[1] == Image("/i.png", "an image")


def test_what_is_not_shown_is_not_there() -> None:
    hidden = "<title>t</title><script>s</script><style>c</style><textarea>x</textarea><svg><text>v</text></svg>"
    assert [piece.text for run in runs(f"{hidden}<p>shown") for piece in run.pieces] == ["shown"]


def test_nested_blocks_are_named_from_the_outside() -> None:
    (run,) = runs("<div><ul><li>x</li></ul></div>")
    assert run.tags == ("div", "ul", "li")


@given(html=st.text(st.sampled_from("<>/pbai ='\"x가"), max_size=40))
def test_any_page_has_runs_of_text(html: str) -> None:
    for run in runs(html):
        assert run.pieces
        assert run.pieces[0].text
