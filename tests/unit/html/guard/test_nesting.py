from __future__ import annotations

import pytest

from haenyeo.html.guard.nesting import MAX_NESTING, flattened


def test_what_is_not_deep_stays_the_same() -> None:
    html = "<div><p>one<ul><li>two</ul></div>" * 1000
    assert flattened(html) is html


def test_tags_too_deep_are_dropped_with_their_end_tags() -> None:
    html = "<div>" * (MAX_NESTING + 1) + "deep" + "</div>" * (MAX_NESTING + 1) + "<div>flat</div>"
    assert flattened(html) == "<div>" * MAX_NESTING + " deep " + "</div>" * MAX_NESTING + "<div>flat</div>"


def test_links_are_never_dropped() -> None:
    html = "<div>" * 1000 + "<a href=x>y</a>"
    assert flattened(html).endswith("<a href=x>y</a>")


def test_what_is_hidden_stays_hidden() -> None:
    html = "<div>" * 1000 + "<script>'<div>'</script><!-- <div> --><style><div></style>"
    assert flattened(html).endswith("<script>'<div>'</script><!-- <div> --><style><div></style>")


def test_no_tag_arises_from_what_is_left() -> None:
    assert "<b>" not in flattened("<i>" * MAX_NESTING + "<<i>b>")


@pytest.mark.parametrize(
    "unit",
    [
        "<div></x>",  # an end tag of something else
        "<div><object></div></object>",  # an end tag that does not reach out of the object
        "<span><div></span></div>",  # an end tag that does not reach out of the block
        "<svg><option>",  # an element that is nested in drawings alone
    ],
)
def test_end_tags_that_close_nothing_do_not_count(unit: str) -> None:
    assert flattened(unit * 1000) != unit * 1000


def test_a_drawing_ends_with_the_next_paragraph() -> None:
    html = "<svg><g>" + "<ul><li>one<p>two<li><a href=x>three</ul>" * 1000
    assert flattened(html) is html


def test_html_and_body_are_met_once() -> None:
    assert flattened("<html a><body b><html c><body d>text</body></html>") == "<html a><body b>  text</body></html>"
