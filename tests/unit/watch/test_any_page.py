"""Whatever a page is made of, it can be described, compared, learned from and repaired on."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from haenyeo.watch.compare import compare_layouts
from haenyeo.watch.layout import describe_layout
from haenyeo.watch.rules.check import check_rule
from haenyeo.watch.rules.learn import learn_rule
from haenyeo.watch.rules.repair import repair_rule

PIECES = st.sampled_from(
    [
        *(
            "<div class='a b'>",
            "</div>",
            "<li>",
            "</li>",
            "<ul>",
            "<table>",
            "<tr>",
            "<td class='x'>",
            "</table>",
            "<p>",
        ),
        *("<a href='/p/1'>", "</a>", "<a href=']['>", "<img src='x.png'>", "<!-- -->", "<script>", "</script>", "<b>"),
        *("Thing 1", "€1.50", "2024-01-02", "해녀", "\x00", "&amp;", "<", "'", "\ud800"),
    ]
)
PAGES = st.lists(PIECES, max_size=60).map("".join)
GOODS = "".join(f"<tr><td><a href='/p/{n}'>Thing {n}</a></td><td>€{n}.50</td></tr>" for n in range(12))
RULE = learn_rule(f"<table>{GOODS}</table>", [{"title": "Thing 1", "price": "€1.50", "link": "/p/1"}])


@settings(max_examples=settings().max_examples // 2)
@given(PAGES, PAGES)
def test_any_two_pages_can_be_compared_by_every_watcher(one: str, other: str) -> None:
    old, new = describe_layout([one]), describe_layout([other])
    for watcher in ("default", "vilo"):
        change = compare_layouts(old, new, watcher)
        assert 0 <= change.score <= 1
        assert not (change.alarm and change.notice)
        assert not compare_layouts(old, describe_layout([one]), watcher).alarm


@settings(max_examples=settings().max_examples // 2)
@given(PAGES)
def test_any_page_can_be_learned_from_and_repaired_on(page: str) -> None:
    assert RULE is not None
    learn_rule(page)
    learn_rule(page, [{"title": "Thing 1", "price": "€1.50"}])
    check_rule(RULE, page)
    repaired = repair_rule(RULE, page)
    assert repaired is None or 0 <= repaired.confidence <= 1
