from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import msgspec
import pytest

from haenyeo.collect.adapters.watching.noise import Noise
from haenyeo.collect.adapters.watching.watchlist import Watchlist, watched_page
from haenyeo.model.pages import Url
from haenyeo.store import Store
from haenyeo.watch.content import ContentChange, TwoVersions, compare_versions

PAGE = Url("https://a.example/")
Change = Callable[[str, str], ContentChange]


@pytest.fixture
def change(store: Store) -> Change:
    """Compares two texts of a page and learns from that."""

    def compare(old: str, new: str) -> ContentChange:
        noise = Noise(store)
        found = compare_versions(TwoVersions(old=old, new=new), noise.ignored(PAGE))
        for state in noise.learn(PAGE, found) if found.changed else ():
            store.put_state(state.part, state.key, state.value)
        return found

    return compare


def test_a_number_that_is_another_at_each_visit_becomes_noise(change: Change) -> None:
    texts = [f"All about reefs.\nToday {number} boats are at sea in the bay." for number in (3, 5, 8, 13, 21)]
    assert [change(old, new).changed for old, new in pairwise(texts)] == [True, True, True, False]
    assert change(texts[0], f"{texts[1]}\nThe harbour is closed.").added == ("The harbour is closed.",)


def test_other_changes_in_between_begin_the_count_anew(change: Change) -> None:
    boats = [f"Today {number} boats are at sea in the bay." for number in (3, 5, 8, 13, 21)]
    change(boats[0], boats[1])
    change(boats[1], f"{boats[2]}\nThe harbour is closed.")
    change(boats[2], boats[3])
    change(boats[3], boats[4])
    assert change(boats[4], boats[0]).changed


def test_lines_that_take_turns_become_noise(change: Change) -> None:
    advertised = ["Fly to Jeju with us", "Win a wetsuit", "The best noodles in town"]
    texts = [f"All about reefs.\n{advertised[visit % 3]}" for visit in range(12)]
    told = [change(old, new).changed for old, new in pairwise(texts)]
    assert told[0]
    assert not any(told[-4:])
    assert change(texts[0], f"{texts[1]}\nThe harbour is closed.").added == ("The harbour is closed.",)


def test_a_state_that_is_one_of_two_is_always_told(change: Change) -> None:
    texts = [f"A red mug.\n{'sold out' if visit % 2 else 'we have it in stock'}" for visit in range(12)]
    assert all(change(old, new).changed for old, new in pairwise(texts))


def test_prices_are_never_noise(change: Change) -> None:
    texts = [f"All about masks.\nOne mask costs {number}.50 € in our shop." for number in range(20, 30)]
    assert all(change(old, new).changed for old, new in pairwise(texts))


def test_what_the_user_ignores_does_not_count(store: Store, change: Change) -> None:
    page = watched_page(PAGE, (), timedelta(hours=1), 1, datetime(2025, 1, 1, tzinfo=UTC))
    Watchlist(store).put(msgspec.structs.replace(page, ignore=("^Weather",), least=0.2))
    assert not change("Reefs.\nWeather: rain", "Reefs.\nWeather: a fine day at last").changed
    small = change("Reefs are old. " * 20 + "\nA word.", "Reefs are old. " * 20 + "\nAnother thing.")
    assert Noise(store).too_little(PAGE, small)
    assert not Noise(store).too_little(Url("https://b.example/"), small)
