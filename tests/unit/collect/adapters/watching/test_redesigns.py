from __future__ import annotations

from datetime import UTC, datetime, timedelta

from haenyeo.collect.adapters.watching.layouts import Reference
from haenyeo.collect.adapters.watching.redesigns import Noted, Redesigns
from haenyeo.model.pages import Url
from haenyeo.store import Store

BEGIN = datetime(2025, 3, 1, tzinfo=UTC)


def page(name: str, hour: int) -> Reference:
    return Reference(Url(f"https://a.example/{name}"), BEGIN + timedelta(hours=hour))


def note(redesigns: Redesigns, store: Store, name: str, hours: tuple[int, int], *, alarm: bool = True) -> Noted:
    noted = redesigns.note("a.example", page(name, hours[1]), page(name, hours[0]), alarm=alarm)
    for state in noted.states:
        store.put_state(state.part, state.key, state.value)
    return noted


def test_one_page_that_looks_different_is_no_redesign_and_two_are(store: Store) -> None:
    redesigns = Redesigns(store)
    assert note(redesigns, store, "one", (0, 10)).first is None
    assert note(redesigns, store, "one", (10, 11)).first is None, "the same page does not confirm itself"
    assert note(redesigns, store, "two", (0, 12)).first == page("one", 11)


def test_pages_last_seen_before_a_redesign_are_part_of_it(store: Store) -> None:
    redesigns = Redesigns(store)
    note(redesigns, store, "one", (0, 10))
    note(redesigns, store, "two", (0, 11))
    again = Redesigns(store)
    assert [note(again, store, name, (1, 20)).first for name in ("three", "four", "five")] == [None] * 3
    assert note(again, store, "three", (20, 30)).first is None
    assert note(again, store, "four", (20, 31)).first == page("three", 30), "the next redesign"


def test_a_page_that_stays_as_it_was_speaks_against_a_redesign(store: Store) -> None:
    redesigns = Redesigns(store)
    note(redesigns, store, "one", (0, 10))
    note(redesigns, store, "two", (0, 11), alarm=False)
    assert note(redesigns, store, "three", (0, 12)).first is None
