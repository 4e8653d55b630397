"""What two versions of a list say about its items."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from haenyeo.html.parse import parse_html
from haenyeo.model.pages import Url
from haenyeo.refresh.announcements import announced, entries_of

LIST = Url("https://a.example/list")


def page(*entries: tuple[int, str], beside: str = "", below: str = "") -> str:
    rows = "".join(f'<li><a href="/{number}">Item {number}</a> <i>{said}</i></li>' for number, said in entries)
    return f"<body><nav>{beside}</nav><ul class=list>{rows}</ul><footer><p>{below}</p></footer></body>"


def said(html: str, items: int = 9) -> dict[str, str]:
    return entries_of(parse_html(html, LIST), {f"https://a.example/{number}" for number in range(items)})


def numbers(urls: list[str]) -> list[int]:
    return [int(url.rpartition("/")[2]) for url in urls]


def told(old: str, new: str) -> list[int]:
    return numbers(announced(said(old), said(new)))


def test_an_entry_that_reads_otherwise_announces_its_item() -> None:
    old, new = page(*((n, "3 replies") for n in range(6))), page(*((n, f"{3 + (n == 4)} replies") for n in range(6)))
    assert told(old, new) == [4]


def test_an_item_that_was_put_first_is_announced() -> None:
    assert told(page(*((n, "") for n in range(6))), page(*((n, "") for n in (4, 0, 1, 2, 3, 5)))) == [4]


def test_new_entries_and_those_that_fell_out_announce_nothing_of_the_others() -> None:
    assert told(page(*((n, "x") for n in range(6))), page(*((n, "x") for n in (8, 7, 0, 1, 2, 3, 4)))) == []


def test_what_stands_beside_and_below_the_list_does_not_count() -> None:
    rows = [(n, "x") for n in range(6)]
    old = page(*rows, beside='<a href="/2">popular</a> now', below="noon")
    assert told(old, page(*rows, beside='<a href="/3">popular</a> then', below="midnight")) == []


def test_a_list_that_was_made_anew_announces_nothing() -> None:
    assert told(page(*((n, "old") for n in range(6))), page(*((n, "new") for n in range(6)))) == []


def test_a_page_without_items_has_no_entries() -> None:
    assert said("<p>no links</p>") == {}
    assert said(page((1, "x")), items=0) == {}


@given(st.permutations(range(8)), st.sets(st.integers(0, 7)))
def test_only_items_of_both_versions_are_announced_and_the_same_version_announces_none(
    order: list[int], edited: set[int]
) -> None:
    old = {str(number): "x" for number in range(8)}
    new = {str(number): "y" if number in edited else "x" for number in [*order, 9]}
    assert set(announced(old, new)) <= old.keys()
    assert announced(new, new) == []
