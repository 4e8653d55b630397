from __future__ import annotations

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
