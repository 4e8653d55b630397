from __future__ import annotations

import pytest

from haenyeo.watch.layout import Layout, LayoutChange, describe_layout
from haenyeo.watch.tokens import source_tokens
from haenyeo.watch.vilo import Vilo, find_patterns, paper_tokens

ROWS = "<ul>" + "<li><a>x</a><br>y</li>" * 12 + "</ul>"
CHANGED = ROWS.replace("<br>", "<hr>")


def tokens(html: str) -> list[str]:
    return paper_tokens(source_tokens(html))


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>a <b>b</b> c</p>", ["<P>", "TEXT", "</P>"]),
        ("<p><i></i><br></p>", ["<P>", "TEXT", "<BR>", "</P>"]),
        ("<p><i>a</i><b>b</b></p>", ["<P>", "TEXT", "TEXT", "</P>"]),
        ("<p>a<em>b</em></p>", ["<P>", "TEXT", "<EM>", "TEXT", "</EM>", "</P>"]),
    ],
)
def test_formatting_tags_count_as_text(html: str, expected: list[str]) -> None:
    assert tokens(html) == expected


def test_a_pattern_has_three_different_tokens() -> None:
    assert find_patterns(["<A>", "TEXT"] * 12) == frozenset()
    assert len(find_patterns(["<A>", "TEXT", "</A>"] * 12)) == 1


def test_another_pattern_is_an_alarm_and_the_same_is_none() -> None:
    old = describe_layout([ROWS])
    assert Vilo().compare(old, describe_layout([ROWS.replace(">x<", ">z<")])) == LayoutChange()
    change = Vilo().compare(old, describe_layout([CHANGED]))
    assert change.alarm
    assert change.why == ("1 patterns are gone, 1 are new",)


def test_one_more_row_alarms_this_watcher() -> None:
    longer = ROWS.replace("</ul>", "<li><a>x</a><br>y</li></ul>")
    assert Vilo().compare(describe_layout([ROWS]), describe_layout([longer])).alarm


def test_the_number_of_repeats_can_be_set() -> None:
    old, new = (describe_layout([html]) for html in (ROWS, CHANGED))
    assert not Vilo(times=50).compare(old, new).alarm


def test_any_of_several_old_pages_will_do() -> None:
    assert not Vilo().compare(describe_layout([CHANGED, ROWS]), describe_layout([ROWS])).alarm
    assert Vilo().compare(Layout(pages=()), describe_layout([ROWS])) == LayoutChange()
