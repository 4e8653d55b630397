"""What every watcher promises; the socket is `haenyeo.watch.compare.Watcher`."""

from __future__ import annotations

import re
import time

from hypothesis import given, settings
from hypothesis import strategies as st

from haenyeo.promises.made_up import BADA, SEA, TOWN, article, markup
from haenyeo.watch.compare import Watcher
from haenyeo.watch.layout import Layout, LayoutChange, describe_layout

_MOST_SECONDS = 40.0  # of processor time for pages of megabytes; parts need a few
_FEW = settings(max_examples=max(1, settings().max_examples // 4), deadline=None)
_PAGES = st.lists(markup, max_size=3)
_ATTRIBUTE = re.compile(r"[a-z]+='[^']*'")
_TAG = re.compile(r"<([a-z0-9]+)((?: [a-z]+='[^']*')+)>")


def _records(count: int, text: str, wrap: str = "div") -> str:
    rows = "".join(
        f"<li class='item' id='r'><{wrap} class='box'><a class='title' href='/{number}'>{text[number:]}</a></{wrap}>"
        f"<span class='price' title='p'>{number}00</span></li>"
        for number in range(count)
    )
    return f"<html><body><h1>A list</h1><ul class='list' id='all'>{rows}</ul></body></html>"


def _turned_round(html: str) -> str:
    """The page with the attributes of its tags in the opposite order."""
    return _TAG.sub(lambda tag: f"<{tag[1]} {' '.join(reversed(_ATTRIBUTE.findall(tag[2])))}>", html)


class WatcherPromises:
    """For watchers: comparisons of two layouts."""

    @_FEW
    @given(old=_PAGES, new=_PAGES)
    def test_any_pages_can_be_compared(self, part: type[Watcher], old: list[str], new: list[str]) -> None:
        change = part().compare(describe_layout(old), describe_layout(new))
        assert 0 <= change.score <= 1
        if change.alarm or change.notice:
            assert change.why
            assert all(change.why)

    @_FEW
    @given(pages=st.lists(markup, min_size=1, max_size=3))
    def test_a_layout_has_not_changed_from_itself(self, part: type[Watcher], pages: list[str]) -> None:
        layout = describe_layout(pages)
        assert part().compare(layout, layout) == LayoutChange()
        assert part().compare(layout, describe_layout(pages)) == LayoutChange()

    @_FEW
    @given(old=_PAGES, new=_PAGES)
    def test_the_same_question_has_the_same_answer(self, part: type[Watcher], old: list[str], new: list[str]) -> None:
        watcher, before, after = part(), describe_layout(old), describe_layout(new)
        first = watcher.compare(before, after)
        watcher.compare(describe_layout([SEA]), describe_layout([_records(9, TOWN)]))
        assert watcher.compare(before, after) == first == part().compare(before, after)

    def test_with_no_page_on_one_side_nothing_is_told(self, part: type[Watcher]) -> None:
        none, some = Layout(pages=()), describe_layout([article(SEA)])
        for old, new in ((none, some), (some, none), (none, none)):
            assert part().compare(old, new) == LayoutChange()

    def test_other_words_in_the_same_tags_are_no_change(self, part: type[Watcher]) -> None:
        for one, other in ((SEA, TOWN), (SEA, BADA), (TOWN, TOWN[::-1])):
            change = part().compare(describe_layout([article(one)]), describe_layout([article(other)]))
            assert not change.alarm
            assert not change.notice

    def test_the_order_of_attributes_does_not_matter(self, part: type[Watcher]) -> None:
        page = _records(12, SEA)
        assert _turned_round(page) != page
        assert part().compare(describe_layout([page]), describe_layout([_turned_round(page)])) == LayoutChange()

    def test_a_list_that_became_another_one_is_told_of(self, part: type[Watcher]) -> None:
        old = describe_layout([_records(15, SEA), _records(15, TOWN)])
        new = _records(15, SEA, "b").replace("li", "dd").replace("ul", "dl").replace("class='", "class='x-")
        change = part().compare(old, describe_layout([new]))
        assert change.alarm or change.notice
        assert change.score > 0

    def test_huge_pages_take_bounded_time(self, part: type[Watcher]) -> None:
        huge = [_records(5_000, SEA), "<div>" * 20_000, "<p class='a b c'>가 " * 30_000, "x" * 1_000_000]
        began = time.process_time()
        for page in huge:
            part().compare(describe_layout([page]), describe_layout([_records(20, TOWN)]))
        assert time.process_time() - began < _MOST_SECONDS
