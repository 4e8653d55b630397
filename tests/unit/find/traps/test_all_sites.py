from haenyeo.find.traps import Novelty, Traps


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


def test_what_was_learned_survives_a_dump() -> None:
    traps, copy = Traps(), Traps()
    _teach(traps, "a.example")
    for number in range(12):
        text = f"Item {'abc'[number % 3]} of the shop, with words enough to tell what is sold here"
        traps.observe(f"https://b.example/s/{number}00/item-{number % 3}", text.encode(), [], 0)
    copy.load(traps.dump())
    for url in ("https://a.example/calendar/99", "https://b.example/s/77/item-1", "https://b.example/s/77/item-9"):
        assert copy.discount(url) == traps.discount(url)
        assert copy.key(url) == traps.key(url)
        assert copy.repeats(url) == traps.repeats(url)
    assert copy.key("https://b.example/s/77/item-1") == "https://b.example/s/*/item-1"


def test_only_sites_that_changed_are_dumped_again() -> None:
    traps = Traps()
    _teach(traps, "a.example")
    _teach(traps, "b.example")
    assert set(traps.dump()) == {"a.example", "b.example"}
    _teach(traps, "b.example", pages=1)
    assert set(traps.dump()) == {"b.example"}
    assert traps.dump() == {}
