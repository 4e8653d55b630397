from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.find.traps.patterns import PageYield, Patterns, PatternTally, chain
from haenyeo.html.urls import shape_of

_SITE = "https://a.example"


def _read(patterns: Patterns, url: str, *, fruitful: bool, behind: bool = False) -> None:
    patterns.count(PageYield(url=url, behind=behind, fruitful=fruitful, known_links=5))


def test_an_address_belongs_to_a_chain_of_ever_wider_patterns() -> None:
    assert [step[0] for step in chain(shape_of(f"{_SITE}/shop/list/7?size=1&colour=red"))] == [
        f"{_SITE}/shop/list/0?colour&size",
        f"{_SITE}/shop/list/0?*",
        f"{_SITE}/shop/list/*",
        f"{_SITE}/shop/*",
        f"{_SITE}/*",
        "*",
    ]


@pytest.mark.parametrize(
    ("path", "patterns"),
    [
        ("", ["", "*"]),
        ("/", ["/", "/*", "*"]),
        ("/a", ["/a", "/*", "*"]),
        ("/a/?b", ["/a/?b", "/a/?*", "/a/*", "/*", "*"]),
    ],
)
def test_short_addresses_have_short_chains(path: str, patterns: list[str]) -> None:
    assert [step[0].removeprefix(_SITE) for step in chain(_SITE + path)] == patterns


@pytest.mark.parametrize("repeats", [3, 4, 9])
def test_paths_that_go_round_in_circles_are_one_template(repeats: int) -> None:
    assert chain(f"{_SITE}/reef{'/a/b' * repeats}/index.html")[0][0] == f"{_SITE}/reef/a/b/**/index.html"


@pytest.mark.parametrize("path", ["/a" * 4000, "/" + "a" * 8000, "/a/b/c/d/e" * 800, "/a/b" * 2000 + "/"])
def test_very_long_paths_have_short_chains(path: str) -> None:
    assert len(list(chain(_SITE + path))) <= 10


def test_nothing_is_discounted_while_pages_bring_something() -> None:
    patterns = Patterns()
    for number in range(500):
        assert patterns.discount(f"{_SITE}/article/{number}", behind=False) == 1.0
        _read(patterns, f"{_SITE}/article/{number}", fruitful=number % 4 != 0)


def test_the_discount_falls_with_every_barren_page_but_never_to_nothing() -> None:
    patterns = Patterns()
    discounts = []
    for number in range(400):
        _read(patterns, f"{_SITE}/calendar/{number}", fruitful=False)
        discounts.append(patterns.discount(f"{_SITE}/calendar/{number + 1}", behind=False))
    assert discounts[2] == 1.0
    assert all(later <= earlier for earlier, later in pairwise(discounts))
    assert 0 < discounts[-1] < 0.01


def test_a_barren_template_says_nothing_about_its_neighbours() -> None:
    patterns = Patterns()
    for number in range(200):
        _read(patterns, f"{_SITE}/shop/calendar/{number}", fruitful=False)
    _read(patterns, f"{_SITE}/shop/item-1", fruitful=True)
    assert patterns.discount(f"{_SITE}/shop/item-2", behind=False) == 1.0
    assert patterns.discount(f"{_SITE}/help", behind=False) == 1.0


def test_ever_new_templates_tell_what_to_expect_of_the_next() -> None:
    patterns = Patterns()
    for number in range(60):
        word = chr(97 + number % 26) + chr(97 + number // 26)
        _read(patterns, f"{_SITE}/maze/{word}", fruitful=False)
    assert patterns.discount(f"{_SITE}/maze/unseen", behind=False) < 0.1
    assert patterns.discount(f"{_SITE}/maze/unseen?with=query", behind=False) < 0.1


def test_pages_met_behind_barren_ones_are_told_from_others_of_the_same_pattern() -> None:
    patterns = Patterns()
    for number in range(30):
        _read(patterns, f"{_SITE}/{number}", fruitful=False, behind=True)
        _read(patterns, f"{_SITE}/{number}", fruitful=True, behind=False)
    assert patterns.discount(f"{_SITE}/31", behind=True) < 0.1
    assert patterns.discount(f"{_SITE}/31", behind=False) == 1.0


def test_a_pattern_recovers_when_it_brings_something_again() -> None:
    patterns = Patterns()
    for number in range(50):
        _read(patterns, f"{_SITE}/p/{number}", fruitful=False)
    for number in range(8):
        _read(patterns, f"{_SITE}/p/{number}", fruitful=True)
    assert patterns.discount(f"{_SITE}/p/99", behind=False) == 1.0


def _grow(patterns: Patterns, pages: int, *, to: str, new: int, known: int) -> float:
    for number in range(pages):
        links = [f"{_SITE}{to}{1000 * number + link}" for link in range(new)]
        patterns.count(
            PageYield(url=f"{_SITE}/p/{number}", behind=False, fruitful=True, new_links=links, known_links=known)
        )
    return patterns.discount(f"{_SITE}/p/{pages}", behind=False)


def test_a_pattern_that_leads_only_to_more_of_itself_gets_a_limited_share() -> None:
    assert _grow(Patterns(), 20, to="/p/", new=10, known=1) == 1.0
    assert _grow(Patterns(), 80, to="/p/", new=10, known=1) < 0.1


def test_a_list_that_leads_to_articles_and_articles_that_lead_to_known_ones_are_not_endless() -> None:
    assert _grow(Patterns(), 200, to="/article/", new=30, known=1) == 1.0
    assert _grow(Patterns(), 200, to="/p/", new=10, known=10) == 1.0


def test_the_number_of_patterns_is_bounded() -> None:
    patterns = Patterns(most=50)
    for number in range(500):
        word = "".join(chr(97 + int(digit)) for digit in str(number))
        _read(patterns, f"{_SITE}/{word}/{word}", fruitful=True)
    assert len(patterns.tallies) <= 50


def _chance(patterns: Patterns, url: str) -> float:
    """The chance that an address brings something, with all its patterns asked."""
    steps = [step[0] for step in chain(shape_of(url))]
    chance = 1.0
    for place, name in reversed(list(enumerate(steps))):
        if name in patterns.tallies:
            below = patterns.tallies.get(steps[place - 1], PatternTally()) if place else PatternTally()
            chance = patterns.tallies[name].chance(chance if place else max(chance, 0.3), below)
    return chance


_pages = st.tuples(st.sampled_from(["", "/a", "/b", "/a/b"]), st.sampled_from(["", "/c", "/7", "?d=1"]), st.booleans())


@given(st.lists(_pages, max_size=60), _pages)
def test_an_address_is_discounted_if_all_its_patterns_together_say_so(
    pages: list[tuple[str, str, bool]], last: tuple[str, str, bool]
) -> None:
    patterns = Patterns()
    for folder, name, fruitful in pages:
        _read(patterns, _SITE + folder + name, fruitful=fruitful)
    url = _SITE + last[0] + last[1]
    discount, chance = patterns.discount(url, behind=False), _chance(patterns, url)
    assert discount == 1.0 if chance >= 0.3 else discount <= 2**0.5 * (chance / 0.3) ** 2
