from __future__ import annotations

import re

import pytest

from haenyeo.web.queries.originals import compare, harmless


@pytest.mark.parametrize(
    "html",
    [
        "<p>text</p><script>run()</script>",
        "<script src=//evil.example/x.js></script><p>text",
        "<p>text</p><ScRiPt>run()",
        "<meta http-equiv=refresh content='0;url=//evil.example'><p>text",
        "<link rel=stylesheet href=//evil.example><base href=//evil.example><p>text",
        "<iframe src=//evil.example></iframe><object data=//evil.example></object><embed src=//evil.example><p>text",
        "<img src=//evil.example onerror=run()><p>text",
        "<img src='data:,' onerror=run()><p>text",
        "<img/src=//evil.example/onerror=run()><p>text",
        "<img alt=''src=//evil.example><p>text",
        "<p style='background: url(//evil.example)'>text",
        "<style>@import '//evil.example';</style><p>text",
    ],
)
def test_nothing_that_runs_or_loads_is_left(html: str) -> None:
    shown = harmless(html).lower()
    assert "text" in shown
    for bad in ("<script", "run()</script", "http-equiv", "<link", "<base", "<iframe", "<object", "<embed", "@import"):
        assert bad not in shown
    assert not re.search(r"(?<!data-)src=(?!'data:)", shown)
    assert not re.search(r"(?<!data-)onerror=", shown)
    assert "url(//" not in shown


@pytest.mark.parametrize(
    "html",
    [
        '<img src="data:image/png;base64,x">',
        "<img src = 'data:image/png;base64,x'>",
        "<img src=data:image/png;base64,x>",
        "<p style=\"background: url( 'data:image/png;base64,x')\">",
    ],
)
def test_pictures_that_stand_in_the_page_itself_stay(html: str) -> None:
    assert harmless(html) == html


def test_long_parts_that_are_the_same_are_left_out() -> None:
    old = "\n".join(f"line {number}" for number in range(20))
    lines = compare(old, old.replace("line 10", "line ten"))
    kinds = [line.kind for line in lines]
    assert kinds == ["gap", "same", "same", "removed", "added", "same", "same", "gap"]
    assert lines[0].text == "8 lines are the same"
    assert [line.text for line in lines if line.kind in ("removed", "added")] == ["line 10", "line ten"]


def test_short_parts_that_are_the_same_are_shown() -> None:
    assert [line.kind for line in compare("a\nb\nc", "a\nb\nd")] == ["same", "same", "removed", "added"]
