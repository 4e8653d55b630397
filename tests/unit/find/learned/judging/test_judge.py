"""Judging the pages of a small made-up crawl."""

from __future__ import annotations

import random

import msgspec
import pytest

from haenyeo.find.learned.features import PageWords
from haenyeo.find.learned.judging.judge import PageJudge, Said, VerdictOrigin
from haenyeo.find.learned.judging.linkage import PageLinking
from haenyeo.find.learned.judging.measures import EVIDENCE
from haenyeo.find.learned.judging.traits import PageTraits, traits_of
from haenyeo.find.learned.regression import chance
from haenyeo.model.pages import Link, Url
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


def test_what_was_fetched_among_other_pages_is_less_likely() -> None:
    judge = _crawled(pages=0)
    doubtful = _page(judge, 7000, [*_SEA[:4], *_TOWN[:5]])
    for key in range(600):
        judge.see(key, _page(judge, key, _SEA if key < 60 else _topic_of(1 + key % 2)))
        if key in {30, 560}:
            judge.see(7000 + key, doubtful)
    judge.settle()
    assert judge.odds_of(7030) > judge.odds_of(7560) + 0.5


def test_where_no_page_has_a_word_of_the_topic_none_is_likely() -> None:
    judge = _crawled(words="chess openings", pages=300, likes=0)
    assert max(judge.probability(key) or 0 for key in range(300)) < 0.1
    assert len(_kept(judge, 300)) < 30


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


def test_pages_that_share_a_menu_alone_are_not_lowered_with_each_other() -> None:
    """One of a blog's posts is refused, which all have the same links to eighty tags; a list names two of them."""
    judge, menu = PageJudge(words="whale ocean"), [5000 + number for number in range(80)]
    named = {0: [3, 6], 1: [9, 12], 2: [15, 18]}
    for key in range(90):
        own = [*menu, *named.get(key, ())] if key < 60 else []
        links = [Link(url=Url(f"https://a.example/{target}"), path=f"ul.{target < 5000}") for target in own]
        text = _page(judge, key, _topic_of(key))
        linking = PageLinking.of(LinkedPage(key=key, url=Url("https://a.example/"), links=links, targets=own))
        judge.see(key, msgspec.structs.replace(text, linking=linking))
    judge.settle()
    before = [judge.odds_of(key) for key in range(90)]
    judge.example(3, judge._pages[3], _NO)
    judge.settle()
    lowered = [old - judge.odds_of(key) for key, old in enumerate(before)]
    assert lowered[6] > 1.0, "the other page of its list"
    assert sum(lowered[key] for key in range(1, 60, 3)) / 20 < 0.1 * lowered[6], "posts on towns"


def test_a_counter_example_far_from_the_topic_changes_next_to_nothing() -> None:
    judge = _crawled()
    before = _kept(judge)
    judge.example(1, _page(judge, 1, _TOWN), _NO)
    judge.settle()
    assert len(_kept(judge) ^ before) <= 1


def test_a_no_to_a_page_that_was_not_kept_anyway_tells_of_no_other() -> None:
    judge = _crawled()
    before = [judge.odds_of(key) for key in range(90)]
    judge.example(1, _page(judge, 1, _TOWN), _NO)
    judge.settle()
    assert [judge.odds_of(key) for key in range(90)] == before


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


def _listing(judge: PageJudge, key: int, names: range) -> PageTraits:
    """A page about nothing much with a list of links to pages."""
    links = [Link(url=Url(f"https://a.example/posts/{name}"), path="ul") for name in names]
    main = " ".join(_COMMON)
    page = LinkedPage(key=key, url=Url(f"https://a.example/{key}"), main=main, links=links, targets=list(names))
    return traits_of(page, judge.keywords)


def _vague(judge: PageJudge, key: int) -> PageTraits:
    return _page(judge, key, _COMMON)


def test_a_page_in_a_list_of_relevant_ones_is_more_likely_relevant() -> None:
    judge = _crawled()
    judge.see(301, _listing(judge, 301, range(200, 211)))
    judge.see(302, _listing(judge, 302, range(220, 231)))
    for number in range(10):
        judge.see(200 + number, _page(judge, 200 + number, _SEA))
        judge.see(220 + number, _page(judge, 220 + number, _TOWN))
    vague = _vague(judge, 210)
    judge.see(210, vague)
    judge.see(230, vague)
    judge.settle()
    assert judge.odds_of(210) > judge.odds_of(230) + 1


def test_a_verdict_tells_of_the_pages_in_the_same_list() -> None:
    judge = _crawled()
    judge.see(301, _listing(judge, 301, range(200, 204)))
    for key in (200, 201, 202, 203, 210):
        judge.see(key, _page(judge, key, (_TOWN, _BREAD, _COMMON, _SEA)[key % 4]))
    judge.settle()
    before = {key: judge.odds_of(key) for key in (201, 202, 203, 210)}
    judge.example(200, _page(judge, 200, _TOWN), Said(relevant=True, standing=VerdictOrigin.VOLUNTEERED))
    judge.settle()
    assert all(judge.odds_of(key) > before[key] + 1 for key in (201, 202, 203))
    assert judge.odds_of(210) < before[210] + 1


def test_dead_links_change_no_judgement() -> None:
    judge, plain = _crawled(), _crawled()
    for key in range(500, 560):
        judge.see(key, traits_of(LinkedPage(key=key, url=Url(f"https://a.example/p/{key}")), judge.keywords))
    judge.settle()
    plain.settle()
    assert [judge.odds_of(key) for key in range(90)] == pytest.approx([plain.odds_of(key) for key in range(90)])
    assert judge.probability(500) is None


def test_what_links_say_is_part_of_the_account() -> None:
    judge = _crawled()
    judge.see(301, _listing(judge, 301, range(0, 30, 3)))
    judge.settle()
    page = _page(judge, 3, _topic_of(3))
    account = judge.account_of(page.words)
    assert account is not None
    assert account.evidence.sum() == pytest.approx(judge.odds_of(3))
    assert account.evidence[EVIDENCE.index("listed beside")] > 0


_PORT = ["anchor", "harbour", "crane", "quay", "rope", "pilot", "mast", "deck", "sail"]


def _contents(judge: PageJudge, keys: list[int], *, depth: int = 0) -> PageTraits:
    """A page with a list of these, with which a crawl begins."""
    links = [Link(url=Url(f"https://a.example/posts/{each}"), path="ul>li") for each in keys]
    page = LinkedPage(key=700, url=Url("https://a.example/contents"), title="contents", main="what there is to read")
    page = msgspec.structs.replace(page, depth=depth, links=links, targets=keys)
    return traits_of(page, judge.keywords)


def _begun(depth: int = 0, likes: tuple[int, ...] = (1000, 1001)) -> PageJudge:
    """A judge that began with a list of an example and of pages of a harbour, which do not have the topic's words."""
    judge = PageJudge(words="whale ocean")
    for key in likes:
        judge.example(key, _page(judge, key, _SEA), Said(relevant=True))
    judge.see(700, _contents(judge, [1000, *range(800, 810)], depth=depth))
    for key in range(60):
        judge.see(key, _page(judge, key, _topic_of(key)))
    for key in range(800, 820):
        judge.see(key, _page(judge, key, _PORT))
    judge.settle()
    return judge


def test_what_a_list_names_beside_an_example_that_the_user_began_with_is_meant_too() -> None:
    judge = _begun()
    listed, others = ([judge.probability(key) or 0 for key in keys] for keys in (range(800, 810), range(810, 820)))
    assert min(listed) > 2 * max(others)


def test_a_list_that_the_crawl_came_to_says_less() -> None:
    assert (_begun().probability(800) or 0) > 2 * (_begun(depth=1).probability(800) or 0)


def test_a_list_without_an_example_says_nothing_of_what_is_meant() -> None:
    judge = _begun(likes=(1002, 1003))
    assert (judge.probability(800) or 0) < judge.cut


def test_what_is_offered_is_known_after_a_restart_and_of_pages_that_come_then() -> None:
    judge, again = _begun(), PageJudge(words="whale ocean")
    again.restore(judge.state())
    assert again.odds_of(800) == pytest.approx(judge.odds_of(800), abs=0.01)
    late = _contents(judge, [], depth=1)
    assert again.see(805, late) > again.see(905, late) + 1


def test_the_page_that_offers_something_is_not_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("haenyeo.find.learned.judging.judge.MOST_PAGES", 30)
    monkeypatch.setattr("haenyeo.find.learned.judging.judge._ROOM", 10)
    judge = _begun()
    kept = set(judge.keys())
    assert 700 in kept
    assert 0 not in kept
    assert judge.odds_of(805) > judge.odds_of(815)


def test_links_that_do_not_fit_together_are_refused() -> None:
    state = _crawled().state()
    state["links"] = state["links"] + 1
    with pytest.raises(ValueError, match="links of pages"):
        PageJudge(words="whale ocean").restore(state)


def test_a_judge_that_has_seen_nothing_is_taken_up() -> None:
    again = PageJudge(words="coral reef")
    again.restore(PageJudge(words="coral reef").state())
    assert again.keys() == []


def test_a_page_is_accounted_for_by_what_was_judged_though_its_text_is_read_otherwise_now() -> None:
    judge = PageJudge(words="coral reef")
    for number in range(20):
        text = f"the coral reef of day {number}" if number % 2 else f"the market in town {number}"
        page = LinkedPage(key=number, url=Url(f"https://a.example/{number}"), main=text)
        judge.see(number, traits_of(page, judge.keywords))
    judge.settle()
    words = PageWords.of("", "quite another text")
    account, by_words = judge.account_of(words, 7), judge.account_of(words)
    assert account is not None
    assert by_words is not None
    assert float(account.evidence.sum()) == pytest.approx(judge.odds_of(7))
    assert float(by_words.evidence.sum()) < float(account.evidence.sum())
