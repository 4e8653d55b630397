from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.watch.default import DefaultWatcher
from haenyeo.watch.layout import Layout, LayoutChange, describe_layout

WATCHER = DefaultWatcher()


def compare(old: list[str], new: list[str]) -> LayoutChange:
    return WATCHER.compare(describe_layout(old), describe_layout(new))


@pytest.mark.parametrize("look", ["table", "cards", "days"])
def test_other_content_is_no_change(make_items: Callable[..., Any], make_page: Callable[..., Any], look: str) -> None:
    change = compare([make_page(make_items(20, 1), look)], [make_page(make_items(12, 2), look, here=3)])
    assert change == LayoutChange()


@pytest.mark.parametrize(("before", "after"), [("table", "cards"), ("cards", "table"), ("days", "cards")])
def test_a_redesign_is_an_alarm_that_says_what_is_gone(
    make_items: Callable[..., Any], make_page: Callable[..., Any], before: str, after: str
) -> None:
    change = compare([make_page(make_items(20, 1), before)], [make_page(make_items(20, 1), after)])
    assert change.alarm
    assert not change.notice
    assert change.score > 0.5
    assert any("is gone" in finding for finding in change.why)


@pytest.mark.parametrize(
    ("was", "now"),
    [("<h3>", "<h3><i></i>"), ("<time>", "<time><br>"), ('<div class="text">', '<div class="text"><table></table>')],
)
def test_other_tags_around_the_same_texts_are_a_notice(
    make_items: Callable[..., Any], make_page: Callable[..., Any], was: str, now: str
) -> None:
    page = make_page(make_items(20, 1))
    change = compare([page], [page.replace(was, now)])
    assert change.notice
    assert not change.alarm
    assert "20 texts have other tags around them" in change.why[0]


def test_a_repeated_element_that_is_new_is_a_notice_though_all_content_is_new(
    make_items: Callable[..., Any], make_page: Callable[..., Any]
) -> None:
    changed = make_page(make_items(20, 2)).replace("</article>", '<p class="share">now</p></article>')
    change = compare([make_page(make_items(20, 1))], [changed])
    assert change.notice
    assert "p.share is new: 20 on a page" in change.why[0]


def test_classes_made_from_content_are_no_layout(make_items: Callable[..., Any], make_page: Callable[..., Any]) -> None:
    first, second = make_page(make_items(20, 1)), make_page(make_items(20, 2))
    change = compare([first.replace("card ", "card tag-tide ")], [second.replace("card ", "card tag-reef category-x ")])
    assert change == LayoutChange()


def test_two_old_pages_tell_a_page_from_the_layout(
    make_items: Callable[..., Any], make_page: Callable[..., Any]
) -> None:
    pages = [
        make_page(make_items(20, n)).replace('class="results"', f'class="results {name}"')
        for n, name in enumerate("xyz")
    ]
    assert compare(pages[:1], pages[2:]).alarm
    assert compare(pages[:2], pages[2:]) == LayoutChange()


def test_without_pages_there_is_nothing_to_compare() -> None:
    assert WATCHER.compare(Layout(pages=()), describe_layout(["<p>a"])) == LayoutChange()
    assert compare([""], ["<p>a"]) == LayoutChange()


@given(st.lists(st.text(alphabet="<>/pdivuli abc=\"'", max_size=80), min_size=1, max_size=3))
def test_a_layout_never_differs_from_itself(pages: list[str]) -> None:
    assert compare(pages, pages) == LayoutChange()
