from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.watch.content import TwoVersions, compare_texts, compare_versions, likeness, text_diff

STORY = "The divers of the island go out at slack water.\nNobody goes out alone."


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Updated 3 hours ago", "Updated 5 hours ago"),
        ("12 March 2024, 10:04", "13 March 2024, 11:30"),
        ("조회 1,204 추천 3", "조회 1,377 추천 5"),
        ("2 comments", "15 comments"),
        ("3시간 전", "5시간 전"),
        ("Advertisement: buy a mask", "Advertisement: buy two fins"),
        ("2024년 3월 5일 화요일", "2024년 3월 6일 수요일"),
    ],
)
def test_dates_counters_and_advertisements_are_noise(old: str, new: str) -> None:
    change = compare_texts(f"{STORY}\n{old}", f"{STORY}\n{new}")
    assert not change.changed
    assert change.noise == 1


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Mask, €30.00", "Mask, €25.00"),
        ("12,000원", "11,000원"),
        ("The reef has 41 kinds of coral.", "The reef has 39 kinds of coral."),
        ("Nobody knows.", "Everybody knows."),
        ("", "A new paragraph."),
    ],
)
def test_prices_numbers_and_words_are_content(old: str, new: str) -> None:
    change = compare_texts(f"{STORY}\n{old}", f"{STORY}\n{new}")
    assert change.changed
    assert new in (*change.added, *(edit.after for edit in change.edited))
    assert 0 < change.share < 1


def test_the_same_lines_in_another_order_are_no_change() -> None:
    assert not compare_texts(STORY, "\n".join(reversed(STORY.splitlines()))).changed


def test_white_space_is_no_change() -> None:
    assert compare_texts(STORY, STORY.replace(" ", "  ") + "\n\n").noise == 0


@given(st.text(max_size=200), st.text(max_size=200))
def test_comparing_never_raises_and_a_text_is_like_itself(one: str, other: str) -> None:
    compare_texts(one, other)
    assert not compare_texts(one, one).changed
    assert likeness(one, one) == 1.0


def test_a_diff_shows_what_went_and_what_came() -> None:
    lines = text_diff(STORY, STORY.replace("alone", "at night"), ("before", "after"))
    assert lines[:2] == ["--- before", "+++ after"]
    assert "-Nobody goes out alone." in lines
    assert "+Nobody goes out at night." in lines


def test_endless_lines_are_compared_in_bounded_time() -> None:
    assert compare_texts("1" * 300_000, "2" * 300_000).changed
    assert compare_texts("12 mar " * 50_000, "12 mar " * 50_001).changed


def test_what_the_other_version_has_anywhere_is_neither_gone_nor_new() -> None:
    page = TwoVersions(
        old="12.1. Introduction\nReefs are old.",
        new="Reefs are old.\nReefs are large.\nMenu",
        old_page="Menu\n12.1. Introduction\nReefs are old.",
        new_page="Menu\n12.1. Introduction\nReefs are old.\nReefs are large.",
    )
    change = compare_versions(page)
    assert (change.added, change.removed, change.edited) == (("Reefs are large.",), (), ())
    assert not compare_versions(TwoVersions(old="a b", new="c d", old_page="a b\nc d", new_page="c d\na b")).changed


def test_lines_that_stand_elsewhere_are_told_as_moved() -> None:
    change = compare_texts("One.\nTwo.\nThree.", "Two.\nThree.\nOne.\nFour is new here.")
    assert change.moved == ("One.",)
    assert change.added == ("Four is new here.",)


def test_lines_that_only_changed_places_are_no_change_but_are_told() -> None:
    change = compare_texts("One is here.\nTwo.\nThree.\n3 May 2025", "Two.\n3 May 2025\nThree.\nOne is here.")
    assert (change.changed, change.lines, change.moved, change.moves) == (False, 0, ("One is here.",), 1)
    assert 0.3 < change.share < 0.6
    ignoring = compare_versions(TwoVersions(old="One.\nTwo.", new="Two.\nOne."), lambda _line: True)
    assert (ignoring.moves, ignoring.share) == (0, 0)


def test_a_heading_that_was_edited_is_told_as_such_though_a_menu_still_has_it() -> None:
    page = TwoVersions(
        old="Diving masks\nThey fit.",
        new="Diving masks and fins\nThey fit.",
        old_page="Home\nDiving masks\nDiving masks\nThey fit.",
        new_page="Home\nDiving masks\nDiving masks and fins\nThey fit.",
    )
    change = compare_versions(page)
    assert [edit.marked for edit in change.edited] == ["Diving masks{+ and fins+}"]
    assert (change.added, change.removed, change.lines) == ((), (), 1)
