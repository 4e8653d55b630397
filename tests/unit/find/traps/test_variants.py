from __future__ import annotations

from haenyeo.find.traps.site import SiteTraps
from haenyeo.find.traps.spellings import Content
from haenyeo.find.traps.variants import ORDER, SESSIONS, Variants

ONE: Content = (1, 1)
TWO: Content = (2, 2)
LIST = "https://a.example/list?cat=1&page=2"
TURNED = "https://a.example/list?page=2&cat=1"
TEXT = "Lists of nets and knives, floats and baskets, boats with and without engines, and all that divers need at sea."


def read(variants: Variants, *pages: tuple[str, Content]) -> bool:
    """Whether the last of these pages, read one after another, has taught something."""
    learned = False
    for number, (url, content) in enumerate(pages, 1):
        learned = variants.count(url, content, pages[:number])
    return learned


def test_as_long_as_nothing_is_known_addresses_stay_as_they_are() -> None:
    variants = Variants()
    assert not read(variants, (LIST, ONE))
    assert variants.key(TURNED) == TURNED
    assert not variants.repeats(TURNED)


def test_one_page_in_two_orders_shows_that_order_means_nothing() -> None:
    variants = Variants()
    assert read(variants, (TURNED, ONE), (LIST, ONE))
    assert variants.meaningless == {ORDER}
    assert variants.key("https://a.example/find?q=2&p=1") == "https://a.example/find?p=1&q=2"
    assert variants.key("https://a.example/p;jsessionid=A1") == "https://a.example/p;jsessionid=A1"


def test_one_page_in_two_sessions_shows_that_sessions_mean_nothing() -> None:
    variants = Variants()
    assert read(variants, ("https://a.example/p;jsessionid=A1", ONE), ("https://a.example/p;jsessionid=B2", ONE))
    assert variants.meaningless == {SESSIONS}
    assert variants.repeats("https://a.example/p;jsessionid=C3")
    assert not variants.repeats("https://a.example/q;jsessionid=C3")
    assert variants.key(TURNED) == TURNED


def test_where_the_order_gives_another_page_it_has_its_meaning() -> None:
    variants = Variants()
    assert not read(variants, (TURNED, ONE), (LIST, TWO))
    assert variants.key(TURNED) == TURNED


def test_what_was_learned_from_one_pair_is_taken_back_for_good_when_another_says_otherwise() -> None:
    variants = Variants()
    pages = [(TURNED, ONE), (LIST, ONE), ("https://a.example/x?b=1&a=2", ONE), ("https://a.example/x?a=2&b=1", TWO)]
    assert read(variants, *pages), "keys are others once more"
    assert variants.meaningless == set()
    again = Variants(variants.dump(), pages)
    for number, (url, content) in enumerate(pages[:2], 1):
        assert not again.count(url, content, pages[:number])
    assert again.key(TURNED) == TURNED


def test_a_session_that_differs_as_well_as_the_order_takes_nothing_back() -> None:
    variants = Variants()
    one, other = "https://a.example/x?b=1&a=2&sid=0a1b2c3d4e5f6071", "https://a.example/x?a=2&b=1&sid=0a1b2c3d4e5f6072"
    read(variants, (TURNED, ONE), (LIST, ONE), (one, ONE), (other, TWO))
    assert variants.meaningless == {ORDER}


def test_the_same_text_under_other_parameters_teaches_nothing() -> None:
    variants = Variants()
    assert not read(variants, (LIST, ONE), ("https://a.example/list?page=3&cat=1", ONE))


def test_a_page_read_before_is_not_read_again_under_another_address() -> None:
    variants = Variants()
    read(variants, ("https://a.example/x?b=1&a=2", TWO), (TURNED, ONE), (LIST, ONE))
    assert variants.repeats("https://a.example/x?a=2&b=1")
    assert not variants.repeats("https://a.example/x?b=1&a=2"), "its own address"


def test_what_was_learned_is_kept_over_a_restart() -> None:
    site = SiteTraps()
    for url in (TURNED, LIST):
        verdict = site.observe(url, TEXT.encode(), [], 0)
    assert verdict.respelled
    again = SiteTraps.load(site.dump())
    assert again.respelled
    assert again.key("https://a.example/y?d=1&c=2") == "https://a.example/y?c=2&d=1"
    assert again.repeats("https://a.example/list?page=2&cat=1&cat=1") is False
