"""Judging the pages of a small made-up crawl."""

from __future__ import annotations

import random

import pytest

from haenyeo.find.learned.judging.judge import PageJudge, Said, VerdictOrigin
from haenyeo.find.learned.judging.traits import PageTraits, traits_of
from haenyeo.find.learned.regression import chance
from haenyeo.model.pages import Url
from haenyeo.model.parts import LinkedPage

_SEA = ["whale", "ocean", "krill", "reef", "pod", "calf", "fin", "song", "tide"]
_TOWN = ["train", "station", "rails", "fare", "tram", "ticket", "clock", "bridge", "mayor"]
_BREAD = ["bread", "flour", "oven", "yeast", "dough", "crust", "baker", "loaf", "butter"]
_COMMON = ["day", "year", "people", "place", "water", "city", "world", "time", "long", "new", "house", "small"]
_NO = Said(relevant=False, standing=VerdictOrigin.VOLUNTEERED)


def _page(judge: PageJudge, key: int, words: list[str], folder: str = "posts") -> PageTraits:
    chances = random.Random(key)
    text = " ".join(chances.choices(words, k=40) + chances.choices(_COMMON, k=40))
    page = LinkedPage(key=key, url=Url(f"https://a.example/{folder}/{key}"), title=text[:20], main=text)
    return traits_of(page, judge.keywords)


def _topic_of(key: int) -> list[str]:
    return (_SEA, _TOWN, _BREAD)[key % 3]


def _crawled(words: str = "whale ocean", pages: int = 90, likes: int = 3) -> PageJudge:
    """A judge that has seen as many pages of the sea as of towns and of bread; its examples are of the sea."""
    judge = PageJudge(words=words)
    for key in range(1000, 1000 + likes):
        judge.example(key, _page(judge, key, _SEA), Said(relevant=True))
    for key in range(pages):
        judge.see(key, _page(judge, key, _topic_of(key)))
    judge.settle()
    return judge


def _kept(judge: PageJudge, pages: int = 90) -> set[int]:
    return {key for key in range(pages) if (judge.probability(key) or 0) >= judge.cut}


@pytest.mark.parametrize("likes", [0, 1, 3])
def test_what_is_kept_is_about_the_topic(likes: int) -> None:
    kept = _kept(_crawled(likes=likes))
    assert len(kept & set(range(0, 90, 3))) > 25
    assert len(kept - set(range(0, 90, 3))) < 5


def test_korean_words_alone_are_enough() -> None:
    judge = PageJudge(words="고래 바다")
    for key in range(40):
        text = "역에서 기차가 선로를 따라 달립니다" if key % 2 else "바다의 고래는 바닷속에서 노래를 부릅니다"
        page = LinkedPage(key=key, url=Url(f"https://a.example/p/{key}"), main=f"{text} {key}")
        judge.see(key, traits_of(page, judge.keywords))
    judge.settle()
    assert min(judge.odds_of(key) for key in range(0, 40, 2)) > max(judge.odds_of(key) for key in range(1, 40, 2))


def test_a_page_without_words_is_not_relevant() -> None:
    judge = _crawled()
    judge.see(500, traits_of(LinkedPage(key=500, url=Url("https://a.example/p/500")), judge.keywords))
    assert (judge.probability(500) or 0) < 0.01


def test_a_list_of_pages_is_told_from_a_page() -> None:
    judge = _crawled()
    listed, page = (traits_of(_linked(url), judge.keywords) for url in ("tag/sea/7", "posts/sea/7"))
    judge.see(601, listed)
    judge.see(602, page)
    assert judge.odds_of(601) < judge.odds_of(602) - 2


def _linked(path: str) -> LinkedPage:
    return LinkedPage(key=0, url=Url(f"https://a.example/{path}"), title="whale", main=" ".join(_SEA * 5))


def test_a_counter_example_lowers_what_resembles_it_and_leaves_the_rest() -> None:
    judge = _crawled()
    before = [judge.odds_of(key) for key in range(90)]
    judge.example(3, _page(judge, 3, _SEA), _NO)
    judge.settle()
    change = [judge.odds_of(key) - old for key, old in enumerate(before)]
    assert max(change) < 1e-6, "nothing is raised by a no"
    assert change[3] < min(change[1::3]) - 0.5
    assert judge.probability(3) == 0.0


def test_a_counter_example_far_from_the_topic_changes_next_to_nothing() -> None:
    judge = _crawled()
    before = _kept(judge)
    judge.example(1, _page(judge, 1, _TOWN), _NO)
    judge.settle()
    assert len(_kept(judge) ^ before) <= 1


def test_a_verdict_that_was_asked_for_tells_of_all_pages() -> None:
    judge = _crawled()
    before = [judge.odds_of(key) for key in range(90)]
    judge.example(1, _page(judge, 1, _TOWN), Said(relevant=True, standing=VerdictOrigin.ASKED))
    judge.settle()
    assert all(judge.odds_of(key) > old for key, old in enumerate(before))


def test_a_verdict_taken_back_leaves_no_trace() -> None:
    judge = _crawled()
    before = [judge.odds_of(key) for key in range(90)]
    judge.example(3, _page(judge, 3, _SEA), _NO)
    judge.settle()
    judge.take_back(3)
    judge.settle()
    assert [judge.odds_of(key) for key in range(90)] == pytest.approx(before)
    assert judge.probability(3) == pytest.approx(chance(before[3]))


def test_a_restored_judge_judges_the_same() -> None:
    judge = _crawled()
    judge.example(3, _page(judge, 3, _SEA), _NO)
    judge.settle()
    again = PageJudge(words="whale ocean")
    again.restore(judge.state())
    chances = [judge.probability(key) for key in range(90)]
    assert [again.probability(key) for key in range(90)] == pytest.approx(chances, abs=1e-3)
    assert again.cut == pytest.approx(judge.cut, abs=1e-3)


def test_the_oldest_pages_are_forgotten_but_not_those_the_user_spoke_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("haenyeo.find.learned.judging.judge.MOST_PAGES", 40)
    monkeypatch.setattr("haenyeo.find.learned.judging.judge._ROOM", 10)
    judge = _crawled()
    assert len(judge.keys()) <= 50
    assert judge.probability(0) is None
    assert judge.probability(1000) == 1.0
    assert judge.probability(89) is not None


def test_a_page_seen_again_counts_once() -> None:
    judge = _crawled()
    judge.see(5, _page(judge, 5, _SEA))
    assert judge.keys().count(5) == 1
    assert judge.odds_of(5) > judge.odds_of(8)
