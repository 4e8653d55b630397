"""Which words describe a link."""

from __future__ import annotations

from haenyeo.find.faithful.descriptors import hyperlink_descriptor
from haenyeo.model.pages import Link, Url


def described(paragraph: str, *, before: str = "", anchor: str = "Blue whales", after: str = "") -> set[str]:
    link = Link(url=Url("http://a.example/"), before=before, anchor=anchor, after=after, paragraph=paragraph)
    return set(hyperlink_descriptor(link, within_paragraph=True))


def test_a_descriptor_has_the_words_around_a_link() -> None:
    assert described("", before="the great", after="eat 40 tons") == {"great", "blue", "whales", "eat", "tons"}


def test_windows_run_on_across_paragraphs_as_in_the_paper() -> None:
    link = Link(
        url=Url("http://a.example/"),
        before="trains run",
        anchor="Blue whales",
        after="eat krill",
        paragraph="Blue whales",
    )
    assert hyperlink_descriptor(link) == {"trains", "run", "blue", "whales", "eat", "krill"}


def test_as_many_words_are_taken_on_each_side_as_asked_for() -> None:
    link = Link(url=Url("http://a.example/"), before="kelp crab eel", anchor="whale", after="squid ray cod")
    assert hyperlink_descriptor(link, 2) == {"crab", "eel", "whale", "squid", "ray"}
    assert hyperlink_descriptor(link, 0) == {"whale"}


def test_a_window_may_end_with_the_paragraph() -> None:
    around = {"before": "trains run fast great", "after": "eat krill buses wait"}
    assert described("great Blue whales eat krill", **around) == {"great", "blue", "whales", "eat", "krill"}
    assert described("Blue whales", **around) == {"blue", "whales"}


def test_signs_may_touch_the_link() -> None:
    assert described("great (Blue whales), krill", before="trains great (", after="), krill buses") == {
        "great",
        "blue",
        "whales",
        "krill",
    }


def test_the_windows_are_those_of_the_link_wherever_else_its_words_stand() -> None:
    around = {"before": "krill and", "after": "eat trains"}
    assert described("Blue whales sing, krill and Blue whales eat", **around) == {"krill", "blue", "whales", "eat"}


def test_in_a_long_paragraph_windows_are_taken_as_they_are() -> None:
    assert described("Blue whales " + "sing " * 1_000, before="trains") == {"trains", "blue", "whales"}
