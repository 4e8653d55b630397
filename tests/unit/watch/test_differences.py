from __future__ import annotations

from collections import Counter
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from haenyeo.watch.differences import line_differences, marked, moved_lines


def test_an_edited_line_has_its_words_marked() -> None:
    found = line_differences(
        ["The reef is open from May to June."], ["A new line.", "The reef is open from May to July."]
    )
    [edit] = found.edited
    assert edit.marked == "The reef is open from May to [-June-]{+July+}."
    assert (found.gone, found.new) == ((), ("A new line.",))


def test_lines_with_little_in_common_are_gone_and_new() -> None:
    found = line_differences(["Divers rest in winter."], ["Tickets are sold at the gate."])
    assert (found.edited, found.gone, found.new) == (
        (),
        ("Divers rest in winter.",),
        ("Tickets are sold at the gate.",),
    )


def test_each_line_has_one_partner() -> None:
    found = line_differences(["one two three four", "one two three five"], ["one two three six"])
    assert len(found.edited) == 1
    assert len(found.gone) == 1


def test_words_and_signs_are_marked_apart() -> None:
    assert marked("Open 9-17", "Open 9-18, daily") == "Open 9-[-17-]{+18, daily+}"
    assert marked("same", "same") == "same"


def test_lines_in_another_order_are_moved_and_no_more_than_needed() -> None:
    old, new = ["a", "b", "c", "d", "x"], ["b", "c", "d", "a", "y"]
    assert moved_lines(old, new) == ["a"]
    assert moved_lines(old, old) == []
    assert moved_lines(["a", "a"], ["a"]) == []
    assert moved_lines(["a", "b", "c", "d"], ["b", "d", "c", "a"]) == ["d", "a"]
    assert moved_lines(["x", "a", "x", "b"], ["x", "x", "b", "a"]) == ["a"]


@given(st.lists(st.sampled_from("abcdef"), max_size=12), st.randoms(use_true_random=False))
def test_without_what_has_moved_both_texts_are_the_same(old: list[str], chance: Random) -> None:
    new = chance.sample(old, len(old))
    moved = moved_lines(old, new)
    assert Counter(moved) <= Counter(new)
    assert len(moved) < max(len(old), 1)
    assert (moved == []) == (old == new)
