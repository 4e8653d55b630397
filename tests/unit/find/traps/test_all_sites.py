import gc

import pytest

from haenyeo.find.traps import Novelty, Traps, all_sites
from haenyeo.find.traps.all_sites import MOST_SITES
from haenyeo.find.traps.site import SiteTraps


def _teach(traps: Traps, site: str, pages: int = 30) -> None:
    for number in range(pages):
        traps.observe(f"https://{site}/calendar/{number}", f"No events on day {number}".encode(), [], 2)


def test_what_one_site_does_says_nothing_about_another() -> None:
    traps = Traps()
    _teach(traps, "a.example")
    assert traps.discount("https://a.example/calendar/99") < 1
    assert traps.discount("https://b.example/calendar/99") == 1.0
    assert traps.observe("https://b.example/calendar/1", b"No events on any day of summer", [], 0).kind is Novelty.NEW


def test_an_unknown_site_changes_nothing() -> None:
    traps = Traps()
    url = "https://a.example/s/77/item"
    assert (traps.key(url), traps.discount(url), traps.repeats(url)) == (url, 1.0, False)


def test_subdomains_belong_to_their_site() -> None:
    traps = Traps()
    for number in range(40):
        traps.observe(f"https://s{number}.a.example/", b"Welcome to the same page as everywhere", [], 0)
    assert traps.discount("https://unseen.a.example/") < 0.5


class Kept:
    """Keeps what traps put, and counts how often they ask for it."""

    def __init__(self) -> None:
        self.states: dict[str, bytes] = {}
        self.asked: list[str] = []
        self.puts: list[str] = []

    def load(self, site: str) -> bytes | None:
        self.asked.append(site)
        return self.states.get(site)

    def put(self, site: str, state: bytes) -> None:
        self.puts.append(site)
        self.states[site] = state

    def traps(self) -> Traps:
        return Traps(self.load, self.put)


def _teach_spellings(traps: Traps, site: str) -> None:
    for number in range(12):
        text = f"Item {'abc'[number % 3]} of the shop, with words enough to tell what is sold here"
        traps.observe(f"https://{site}/s/{number}00/item-{number % 3}", text.encode(), [], 0)


def _meet_others(traps: Traps, count: int = 2 * MOST_SITES) -> None:
    for number in range(count):
        _teach(traps, f"other{number}.example", pages=1)


def test_what_was_learned_is_taken_up_by_other_traps() -> None:
    kept = Kept()
    traps = kept.traps()
    _teach(traps, "a.example")
    _teach_spellings(traps, "b.example")
    traps.remember()
    copy = kept.traps()
    for url in ("https://a.example/calendar/99", "https://b.example/s/77/item-1", "https://b.example/s/77/item-9"):
        assert copy.discount(url) == traps.discount(url)
        assert copy.key(url) == traps.key(url)
        assert copy.repeats(url) == traps.repeats(url)
    assert copy.key("https://b.example/s/77/item-1") == "https://b.example/s/*/item-1"


def test_only_sites_that_changed_are_put_again() -> None:
    kept = Kept()
    traps = kept.traps()
    _teach(traps, "a.example")
    _teach(traps, "b.example")
    traps.remember()
    assert set(kept.puts) == {"a.example", "b.example"}
    _teach(traps, "b.example", pages=1)
    traps.remember()
    assert kept.puts[2:] == ["b.example"]
    traps.remember()
    assert len(kept.puts) == 3


@pytest.mark.parametrize("packed_bytes", [0, 1 << 20])
def test_a_site_that_was_put_aside_goes_on_as_if_it_had_not_been(
    packed_bytes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(all_sites, "MOST_PACKED_BYTES", packed_bytes)
    traps, undisturbed = Kept().traps(), Traps()
    for each in (traps, undisturbed):
        _teach(each, "a.example")
        _teach_spellings(each, "b.example")
    _meet_others(traps)
    for url in ("https://a.example/calendar/99", "https://b.example/s/77/item-1", "https://b.example/s/77/item-9"):
        assert traps.discount(url) == undisturbed.discount(url)
        assert traps.key(url) == undisturbed.key(url)
        assert traps.repeats(url) == undisturbed.repeats(url)
    text = b"No events on day 7"
    expected = undisturbed.observe("https://a.example/calendar/c", text, [], 0)
    assert traps.observe("https://a.example/calendar/c", text, [], 0) == expected


def test_what_was_put_aside_and_changed_no_more_is_kept_at_the_end() -> None:
    kept = Kept()
    traps = kept.traps()
    _teach(traps, "a.example")
    _meet_others(traps)
    traps.remember()
    assert kept.traps().discount("https://a.example/calendar/99") < 1


def test_a_site_put_aside_waits_packed_before_it_is_written() -> None:
    kept = Kept()
    traps = kept.traps()
    _meet_others(traps)
    _meet_others(traps)
    assert kept.puts == []


def test_no_more_sites_are_in_memory_than_were_met_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(all_sites, "MOST_PACKED_BYTES", 100_000)
    kept = Kept()
    traps = kept.traps()
    _meet_others(traps, 10 * MOST_SITES)
    gc.collect()
    assert sum(isinstance(thing, SiteTraps) for thing in gc.get_objects()) <= MOST_SITES
    smallest = min(map(len, kept.states.values()))
    assert len(kept.states) >= 9 * MOST_SITES - 100_000 / smallest


def test_a_packed_site_has_eight_marks_to_a_byte() -> None:
    kept = Kept()
    traps = kept.traps()
    _teach(traps, "a.example", pages=1)
    traps.remember()
    assert len(kept.states["a.example"]) < 2048


def test_links_to_sites_with_one_spelling_a_page_fetch_each_site_once() -> None:
    kept = Kept()
    traps = kept.traps()
    _teach(traps, "a.example")
    _teach_spellings(traps, "b.example")
    traps.remember()
    again = kept.traps()
    kept.asked.clear()
    for number in range(50):
        assert again.key(f"https://a.example/{number}") == f"https://a.example/{number}"
        assert again.key(f"https://never-read.example/{number}") == f"https://never-read.example/{number}"
        assert again.key(f"https://b.example/s/{number}/item-1") == "https://b.example/s/*/item-1"
    assert kept.asked.count("a.example") == kept.asked.count("never-read.example") == 1
    assert kept.asked.count("b.example") <= 2


def test_a_site_that_turns_out_to_have_several_spellings_is_asked_from_then_on() -> None:
    traps = Kept().traps()
    url = "https://b.example/s/77/item-1"
    assert traps.key(url) == url
    _teach_spellings(traps, "b.example")
    assert traps.key(url) == "https://b.example/s/*/item-1"
    _meet_others(traps)
    assert traps.key(url) == "https://b.example/s/*/item-1"


def test_links_to_a_site_whose_pages_all_brought_something_do_not_fetch_it() -> None:
    kept = Kept()
    traps = kept.traps()
    traps.observe("https://a.example/1", b"One page about divers and another about the boats they came with", [], 0)
    _meet_others(traps)
    kept.asked.clear()
    packed = len(traps._packed)
    assert traps.discount("https://a.example/2") == 1
    assert (kept.asked, len(traps._packed)) == ([], packed)


def test_a_site_put_aside_whose_pages_brought_nothing_is_discounted_still() -> None:
    traps = Kept().traps()
    _teach(traps, "a.example")
    before = traps.discount("https://a.example/calendar/99")
    _meet_others(traps)
    assert traps.discount("https://a.example/calendar/99") == before < 1
