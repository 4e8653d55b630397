"""Park, Oh & Lee, Design and Implementation of an HTML Pages Modification Detector for Meta-search Engines, 2002.

Its worked examples (section 4) and its experiment (section 5, tables 3 to 5) on pages written here.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from haenyeo.watch.compare import compare_layouts
from haenyeo.watch.layout import describe_layout
from haenyeo.watch.tokens import source_tokens
from haenyeo.watch.vilo import Vilo, find_patterns, paper_tokens
from haenyeo.watch.vilo_printed import printed_patterns

EXAMPLE_2 = """<HTML> <HEAD> <TITLE> Example </TITLE> </HEAD>
<BODY> This Document is example of patterns. <H1> First </H1>
<BR> <H1> Second </H1> <BR> <H1> Third </H1> <BR>
</BODY> </HTML>"""


def test_example_2_is_preprocessed_as_in_section_4_1() -> None:
    records = ["<H1>", "TEXT", "</H1>", "<BR>"] * 3
    assert paper_tokens(source_tokens(EXAMPLE_2)) == ["<BODY>", "TEXT", *records, "</BODY>", "</HTML>"]


def test_example_2_has_exactly_the_pattern_of_section_4_2() -> None:
    assert find_patterns(paper_tokens(source_tokens(EXAMPLE_2)), times=3) == {("<H1>", "TEXT", "</H1>", "<BR>")}


def test_example_2_has_that_pattern_by_the_pseudocode_of_table_2_too() -> None:
    tokens = paper_tokens(source_tokens(EXAMPLE_2), merge=False)
    assert printed_patterns(tokens, times=3) == {("<H1>", "TEXT", "</H1>", "<BR>")}


def test_table_2_loses_the_pattern_once_it_occurs_more_often_than_k() -> None:
    record = ["<H1>", "TEXT", "</H1>", "<BR>"]
    assert printed_patterns(record * 3, times=3) == {tuple(record)}
    assert printed_patterns(record * 4, times=3) == frozenset()
    assert find_patterns(record * 4, times=3) == {tuple(record * 2)}


def test_section_4_2_formatting_tags_are_text() -> None:
    formatted = EXAMPLE_2.replace("First", "<B>Fi</B>rst").replace("Second", "<TT>Second</TT>")
    assert paper_tokens(source_tokens(formatted)) == paper_tokens(source_tokens(EXAMPLE_2))
    apart = paper_tokens(source_tokens(formatted), merge=False)
    assert apart.count("TEXT") == 1 + 4 + 3 + 1, "each tag and each text is a TEXT of its own"


def test_condition_3_of_section_3_fewer_than_three_different_tokens_are_no_pattern() -> None:
    for pattern in (["TEXT"], ["<A>", "TEXT", "<A>", "TEXT", "<A>"]):
        apart = [token for number in range(10) for token in (*pattern, f"<X{number}>")]
        assert find_patterns(apart, times=10) == frozenset()


def test_condition_4_of_section_3_start_and_end_tags_differ() -> None:
    assert len(find_patterns(["<A>", "TEXT", "</A>"] * 10, times=10)) == 1


def test_only_the_longest_of_patterns_inside_each_other_is_kept() -> None:
    tokens = [token for number in range(10) for token in ("<A>", "TEXT", "</A>", f"<X{number}>")]
    assert find_patterns(tokens, times=10) == {("<A>", "TEXT", "</A>")}


def result_list(before: str = "", first: str = "", last: str = "") -> str:
    """A list of results, with tags between two tags of each, and around its first text."""
    rows = "".join(
        f'<tr><td>{before}<a href="/{number}">{first}Result {number}{last}</a></td><td>Text of {number}.<br></td></tr>'
        for number in range(15)
    )
    return f"<html><body><h1>Results</h1><table>{rows}</table></body></html>"


TAGS = {
    1: (("<i>", "</i>"), ("<table>", "</table>")),
    2: (("<i><br>", "</i>"), ("<table><br>", "</table>")),
    3: (("<i><a>", "</a></i>"), ("<table><a>", "</a></table>")),
}


def edits() -> Iterator[tuple[str, str, str]]:
    """Tables 3 and 4: the six kinds of edits in the three classes of tags."""
    plain = result_list()
    italic, table = (result_list(first=tags[0], last=tags[1]) for tags in TAGS[1])
    for number, (formatting, structural) in TAGS.items():
        between = result_list(before="".join(formatting))
        formatted, structured = (result_list(first=tags[0], last=tags[1]) for tags in (formatting, structural))
        yield f"{number} Is", plain, between
        yield f"{number} Ds", between, plain
        yield f"{number} I", plain, structured
        yield f"{number} D", structured, plain
        yield f"{number} Us", formatted, table
        yield f"{number} U", structured, italic


@pytest.mark.parametrize(("before", "after"), [edit[1:] for edit in edits()], ids=[edit[0] for edit in edits()])
@pytest.mark.parametrize("watcher", ["vilo", "default"])
def test_table_5_every_edit_is_detected(watcher: str, before: str, after: str) -> None:
    change = compare_layouts(describe_layout([before]), describe_layout([after]), watcher=watcher)
    assert change.alarm or change.notice


def test_the_table_that_the_paper_lacks_other_content_alarms_its_detector_but_not_the_default() -> None:
    old, new = (describe_layout([result_list(last=text)]) for text in ("", "<br>more"))
    shorter = describe_layout([result_list().replace("<tr>", "<!--", 3).replace("</tr>", "-->", 3)])
    assert Vilo().compare(old, shorter).alarm
    assert not compare_layouts(old, shorter).alarm
    assert Vilo().compare(old, new).alarm
