"""Judging pages by example."""

from haenyeo.find.faithful.rocchio import ExampleJudge
from haenyeo.find.learned.features import PageWords

_WHALES = ("whale dives ocean fin", "whale calf ocean song", "whale pod sea fin", "blue whale sea krill")
_TRAINS = ("train rail station track", "locomotive rail steam", "express train ticket", "tram track city")


def _page(text: str) -> PageWords:
    return PageWords.of("", text)


def _taught(words: str = "") -> ExampleJudge:
    judge = ExampleJudge(words=words)
    for text in _WHALES:
        judge.example(_page(text), relevant=True)
    for text in _TRAINS:
        judge.example(_page(text), relevant=False)
    return judge


def test_pages_like_the_examples_are_relevant_and_others_are_not() -> None:
    judge = _taught()
    assert judge.judge(_page("a whale in the sea with its calf")) > 0
    assert judge.judge(_page("the train at the station")) < 0


def test_a_page_without_words_is_not_relevant() -> None:
    assert _taught().judge(_page("")) < 0


def test_words_alone_are_enough_once_pages_have_been_seen() -> None:
    judge = ExampleJudge(words="whale ocean")
    for text in (*_TRAINS * 5, *_WHALES):
        judge.see(_page(text))
    assert judge.judge(_page("whale ocean krill")) > judge.judge(_page("steam train"))


def test_korean_words_alone_are_enough() -> None:
    judge = ExampleJudge(words="고래 바다")
    for text in (*["기차가 역에서 선로를"] * 9, "고래는 바다에서 노래를"):
        judge.see(_page(text))
    assert judge.judge(_page("바다의 고래가")) > judge.judge(_page("역의 기차를"))


def test_a_correction_takes_effect_at_once() -> None:
    judge = _taught()
    page = _page("narwhal tusk ice arctic")
    before = judge.judge(page)
    judge.example(page, relevant=True)
    assert judge.judge(page) > before


def test_words_that_spoke_for_a_page_add_up_to_its_judgement() -> None:
    judge = _taught(words="whale")
    page, other = _page("whale rail"), _page("steam rail")
    by_words = judge.words_of(page).sum() - judge.words_of(other).sum()
    assert abs(judge.judge(page) - judge.judge(other) - by_words) < 1e-4


def test_a_restored_judge_judges_the_same() -> None:
    judge, again = _taught(words="whale"), ExampleJudge(words="whale")
    judge.see(_page("whale pod"))
    again.restore(judge.state())
    judge.example(_page("orca"), relevant=True)
    again.example(_page("orca"), relevant=True)
    assert again.judge(_page("whale orca")) == judge.judge(_page("whale orca"))


def test_one_text_on_many_addresses_counts_once() -> None:
    """Else the pages of a trap, all alike, would be taken for what the topic is about."""
    judge = ExampleJudge(words="whale ocean")
    whale = PageWords.of("", "whale ocean krill")
    for number in range(40):
        judge.see(PageWords.of("", "whale ocean shop basket price"))
        judge.see(PageWords.of("", f"train{number} rail{number} station{number}"))
    judge.see(whale)
    assert judge.judge(whale) > judge.judge(PageWords.of("", "train rail station"))
    assert judge.judge(whale) > -3
