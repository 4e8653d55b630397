import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.find.traps import Novelty
from haenyeo.find.traps.site import SiteTraps

_SITE = "https://a.example"
_ENGLISH = ["water", "rock", "diver", "float", "net", "wind", "tide", "reef", "shell", "boat", "market", "mother"]
_KOREAN = ["바다", "바위", "해녀", "테왁", "그물", "바람", "물때", "전복", "소라", "마을", "어머니", "할머니", "불턱"]


def _text(seed: object, words: list[str] = _ENGLISH, count: int = 60) -> str:
    chance = random.Random(str(seed))
    return " ".join(chance.choice(words) + chance.choice(words) for _ in range(count))


def _kinds(texts: list[str], path: str = "/p/{}") -> list[Novelty]:
    site = SiteTraps()
    return [site.observe(_SITE + path.format(n), text.encode(), [], 3).kind for n, text in enumerate(texts)]


@pytest.mark.parametrize("words", [_ENGLISH, _KOREAN])
def test_pages_with_texts_of_their_own_are_new(words: list[str]) -> None:
    assert set(_kinds([_text(number, words) for number in range(200)])) == {Novelty.NEW}


@pytest.mark.parametrize("words", [_ENGLISH, _KOREAN])
def test_a_time_stamp_does_not_make_a_page_new(words: list[str]) -> None:
    text = _text("same", words)
    assert _kinds([f"{text} {number * 7919} 12:{number}" for number in range(4)]) == [Novelty.NEW, *[Novelty.NEAR] * 3]


def test_the_very_same_text_is_no_page_to_keep() -> None:
    site = SiteTraps()
    site.observe(f"{_SITE}/a", _text(1).encode(), [], 0)
    verdict = site.observe(f"{_SITE}/b", _text(1).encode(), [], 0)
    assert (verdict.kind, verdict.novel, verdict.barren, verdict.original) == (Novelty.SAME, False, True, f"{_SITE}/a")
    assert verdict.reason == "same text"


def test_pages_with_next_to_no_text_are_barren_but_kept() -> None:
    site = SiteTraps()
    verdict = site.observe(f"{_SITE}/a", b"next next 17", [], 0)
    assert (verdict.kind, verdict.novel, verdict.barren, verdict.reason) == (Novelty.THIN, True, True, "")


def test_words_shuffled_from_other_pages_are_stale() -> None:
    halves = [_text(number, count=40) for number in range(12)]
    mixed = [f"{halves[one]} {halves[other]}" for one in range(12) for other in range(12) if one < other]
    kinds = _kinds([*halves, *mixed])
    assert set(kinds[:12]) == {Novelty.NEW}
    assert set(kinds[12:]) <= {Novelty.STALE, Novelty.NEAR}


@pytest.mark.parametrize(
    "answer", ["Sorry, this page could not be found on our server", "요청하신 페이지를 찾을 수 없습니다"]
)
def test_a_repeated_answer_that_says_not_found_is_suspect(answer: str) -> None:
    site = SiteTraps()
    texts = [f"{answer} {number} {_text('menu', count=20)}".encode() for number in range(3)]
    verdicts = [site.observe(f"{_SITE}/{number}", text, [], 0) for number, text in enumerate(texts)]
    assert [verdict.suspect for verdict in verdicts] == [False, True, True]
    assert all(verdict.novel for verdict in verdicts), "only the site can tell"


def test_one_text_under_many_kinds_of_addresses_may_be_an_answer_to_nonsense() -> None:
    site = SiteTraps()
    paths = ("a", "b/1", "c?d=1", "e/f/g")
    verdicts = [site.observe(f"{_SITE}/{path}", _text("home").encode(), [], 0) for path in paths]
    assert [verdict.suspect for verdict in verdicts] == [False, False, True, True]


def test_an_article_that_quotes_not_found_is_new() -> None:
    assert _kinds([f"{_text(number)} said the page was not found" for number in range(5)]) == [Novelty.NEW] * 5


def test_links_met_on_barren_pages_are_discounted_before_others_of_the_same_shape() -> None:
    site = SiteTraps()
    for number in range(40):
        site.observe(f"{_SITE}/{_word(number)}", b"nothing", [f"{_SITE}/{_word(number + 1)}"], 0)
        site.observe(f"{_SITE}/{_word(number + 500)}", _text(number).encode(), [f"{_SITE}/{_word(number + 501)}"], 0)
    assert site.discount(f"{_SITE}/{_word(40)}") < 0.1
    assert site.discount(f"{_SITE}/{_word(540)}") == site.discount(f"{_SITE}/unseen") == 1.0


def _word(number: int) -> str:
    return "".join(chr(97 + int(digit)) for digit in f"{number:03}")


def test_learned_spellings_are_told() -> None:
    site = SiteTraps()
    verdicts = [site.observe(f"{_SITE}/s/{n}77/{n % 4}", _text(n % 4).encode(), [], 0) for n in range(9)]
    assert sum(verdict.respelled for verdict in verdicts) == 1
    assert site.key(f"{_SITE}/s/123/2") == site.key(f"{_SITE}/s/456/2") != site.key(f"{_SITE}/s/456/3")
    assert site.repeats(f"{_SITE}/s/123/2")


def test_pages_given_by_the_user_do_not_make_a_site_endless() -> None:
    def discount(*, given: bool) -> float:
        site = SiteTraps()
        for number in range(40):
            links = [f"{_SITE}/{_word(100 + 5 * number + more)}" for more in range(5)]
            site.observe(f"{_SITE}/{_word(number)}", _text(number).encode(), links, 0, given=given)
        return site.discount(f"{_SITE}/{_word(900)}")

    assert discount(given=True) == 1.0
    assert discount(given=False) < 1.0


_addresses = st.builds(
    "{}/{}/{}?{}".format, st.just(_SITE), st.sampled_from("abc"), st.integers(0, 9), st.sampled_from("xy")
)


@given(st.lists(st.tuples(_addresses, st.integers(0, 40), st.integers(0, 30)), max_size=60), _addresses)
def test_a_generous_site_discounts_no_address(pages: list[tuple[str, int, int]], asked: str) -> None:
    site = SiteTraps()
    for number, (url, text, links) in enumerate(pages):
        new = [f"{_SITE}/a/{number}-{link}?x" for link in range(links)]
        site.observe(url, _text(text).encode(), new, 0)
        again = SiteTraps.load(site.dump())
        assert again.generous == site.generous
        if site.generous:
            assert all(site.discount(address) == 1 for address in (asked, *(page[0] for page in pages), *new))


def test_a_site_is_not_generous_after_a_page_that_brought_nothing() -> None:
    site = SiteTraps()
    site.observe(f"{_SITE}/a", _text("one").encode(), [], 0)
    assert site.generous
    site.observe(f"{_SITE}/b", _text("one").encode(), [], 0)
    assert not site.generous
