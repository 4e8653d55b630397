"""The default strategy on a small generated web: topics, hubs that lead to them, and much else."""

from __future__ import annotations

import random
from collections.abc import Callable

import msgspec
import numpy as np
import pytest

from haenyeo.find.learned import evidence as evidence_module
from haenyeo.find.learned import learner as learner_module
from haenyeo.find.learned.features import PageWords
from haenyeo.find.learned.judging.judge import Said
from haenyeo.find.learned.judging.traits import PageTraits
from haenyeo.find.learned.learner import Learner
from haenyeo.find.learned.reasons import why_link, why_page
from haenyeo.find.learned.state import to_bytes
from haenyeo.find.learned.topic_words import TopicWords
from haenyeo.model.errors import StoreError
from haenyeo.model.pages import Link, Url

_TOPICS = {
    "whale": ["whale", "ocean", "krill", "fin", "pod", "calf", "song", "blubber"],
    "train": ["train", "rail", "station", "locomotive", "ticket", "track", "steam", "tram"],
    "bread": ["bread", "flour", "yeast", "oven", "dough", "crust", "baker", "loaf"],
}
_COMMON = ["day", "year", "people", "place", "water", "city", "world", "time", "long", "new"]
_PAGES = 300


class _Learner(Learner):
    """Lets its judge see the pages that it learns from, as the strategy does."""

    def learn(self, ref: int, url: str, page: PageWords) -> float:
        self.judge.see(ref, self._traits(page))
        return super().learn(ref, url, page)

    def example(self, ref: int, url: str, page: PageWords, *, relevant: bool) -> None:
        self.judge.example(ref, self._traits(page), Said(relevant))
        super().example(ref, url, page, relevant=relevant)

    def _traits(self, page: PageWords) -> PageTraits:
        asked = self.judge.keywords.asked
        share = float(np.isin(asked, page.ids).mean())
        return PageTraits(words=page, coverage=(share,) * 4 + (0.0,))


class _Web:
    """Page i is about topic i % 3; every tenth page is a list of links to one topic, the others link at random."""

    def __init__(self, seed: int = 1) -> None:
        chance = random.Random(seed)
        names = list(_TOPICS)
        self.topic = [names[page % 3] for page in range(_PAGES)]
        self.text = [self._text(page, chance) for page in range(_PAGES)]
        self.targets = [self._targets(page, chance) for page in range(_PAGES)]

    def _text(self, page: int, chance: random.Random) -> str:
        words = _COMMON if page % 10 == 0 else _TOPICS[self.topic[page]] + _COMMON
        return " ".join(chance.choices(words, k=60))

    def _targets(self, page: int, chance: random.Random) -> list[int]:
        if page % 10 == 0:
            return chance.sample([other for other in range(_PAGES) if self.topic[other] == self.topic[page]], 20)
        return chance.sample(range(_PAGES), 6)

    def url(self, page: int) -> Url:
        return Url(f"http://{self.topic[page]}.example/{'list' if page % 10 == 0 else 'page'}/{page}")

    def words(self, page: int) -> PageWords:
        return PageWords.of(self.topic[page] if page % 10 else "list", self.text[page])

    def links(self, page: int) -> list[Link]:
        path = "ul>li" if page % 10 == 0 else "p"
        names = [self.text[target].split()[:2] for target in self.targets[page]]
        return [
            Link(url=self.url(target), anchor=" ".join(name), before="see", after="here", path=path)
            for target, name in zip(self.targets[page], names, strict=True)
        ]

    def fetch(self, learner: Learner, page: int) -> None:
        learner.learn(page, self.url(page), self.words(page))
        learner.score(page, self.url(page), self.targets[page], self.links(page))
        if learner.due:
            learner.revise()

    def crawl(self, learner: Learner, pages: int) -> list[int]:
        order: list[int] = []
        while len(order) < pages:
            waiting = [page for page in range(_PAGES) if learner.relevance(page) is None]
            worth = np.nan_to_num(learner.worth(waiting))
            order.append(waiting[int(np.argmax(worth))])
            self.fetch(learner, order[-1])
        return order


@pytest.fixture
def web() -> _Web:
    return _Web()


@pytest.fixture
def taught(web: _Web) -> Callable[[], Learner]:
    """A learner that was given four pages it likes and six it does not, and stands at a seed."""

    def teach() -> Learner:
        learner = _Learner(words="whale ocean")
        for page in (3, 6, 9, 12, 1, 2, 4, 5, 7, 8):
            learner.example(page, web.url(page), web.words(page), relevant=page % 3 == 0)
            learner.score(page, web.url(page), web.targets[page], web.links(page))
        web.fetch(learner, 11)
        return learner

    return teach


def test_most_of_what_it_fetches_is_on_the_topic(web: _Web, taught: Callable[[], Learner]) -> None:
    order = web.crawl(taught(), 60)
    assert sum(web.topic[page] == "whale" for page in order) > 45


def test_words_alone_are_enough(web: _Web) -> None:
    learner = _Learner(words="whale ocean krill")
    for page in (11, 31):
        web.fetch(learner, page)
    order = web.crawl(learner, 60)
    assert sum(web.topic[page] == "whale" for page in order) > 35


def test_links_on_pages_the_user_does_not_like_are_worth_nothing(web: _Web) -> None:
    learner = _Learner(words="whale")
    learner.example(1, web.url(1), web.words(1), relevant=False)
    assert not learner.score(1, web.url(1), web.targets[1], web.links(1)).any()


def test_links_of_a_page_nobody_learnt_of_are_worth_nothing(web: _Web) -> None:
    assert not _Learner(words="whale").score(1, web.url(1), web.targets[1], web.links(1)).any()


def test_scores_are_between_0_and_1_and_asking_changes_nothing(web: _Web, taught: Callable[[], Learner]) -> None:
    learner = taught()
    web.crawl(learner, 20)
    first, second = learner.worth(range(_PAGES)), learner.worth(range(_PAGES))
    assert np.array_equal(first, second, equal_nan=True)
    assert np.nanmin(first) >= 0
    assert np.nanmax(first) < 1


def test_the_users_word_stands_against_the_text(web: _Web, taught: Callable[[], Learner]) -> None:
    learner = taught()
    web.crawl(learner, 10)
    learner.example(90, web.url(90), web.words(90), relevant=True)
    assert learner.learn(90, web.url(90), web.words(90)) == 1.0
    learner.revise()
    assert learner.relevance(90) == 1.0


def test_dead_links_do_not_teach_which_evidence_relevant_pages_have(web: _Web, taught: Callable[[], Learner]) -> None:
    learner = taught()
    web.crawl(learner, 30)
    waiting = [page for page in range(_PAGES) if learner.relevance(page) is None]
    named = [page for page in waiting if web.topic[page] == "whale"][:20]
    for page in named:
        learner.learn(page, web.url(page), PageWords.of("", ""))
    assert named
    assert not set(named) & set(learner.balance.chosen)


def test_pages_visited_again_with_other_words_count_once(web: _Web, taught: Callable[[], Learner]) -> None:
    """What a page was counted with when it was fetched before must not be taken from its new words."""
    learner = taught()
    for page in web.crawl(learner, 20):
        learner.learn(page, web.url(page), PageWords.of("", f"whale ocean{page} krill{page}"))
        learner.revise()
        learner.learn(page, web.url(page), PageWords.of("", f"train rail{page} steam{page}"))
        learner.revise()
        learner.example(page, web.url(page), web.words(page), relevant=page % 2 == 0)
    assert np.isfinite(learner.topic.log_odds()).all()
    assert learner.topic.state()["relevant"].min() > -1e-3


def test_a_loaded_learner_goes_on_as_the_dumped_one(web: _Web, taught: Callable[[], Learner]) -> None:
    learner = taught()
    web.crawl(learner, 30)
    learner.revise()
    again = _Learner(words="whale ocean")
    again.restore(learner.dump())
    learner.judge.settle()  # as a judge does that takes up where another was
    learner.revise()
    waiting = [page for page in range(_PAGES) if learner.relevance(page) is None]
    then, now = learner.worth(waiting), again.worth(waiting)
    known = ~np.isnan(then)
    assert np.corrcoef(then[known], now[known])[0, 1] > 0.9
    order = web.crawl(again, 30)
    assert sum(web.topic[page] == "whale" for page in order) > 20


def test_it_forgets_the_least_promising_when_it_knows_too_much(
    web: _Web, taught: Callable[[], Learner], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(learner_module, "_MOST_LINKS", 200)
    monkeypatch.setattr(learner_module, "_WAITING_KEPT", 40)
    monkeypatch.setattr(learner_module, "_FETCHED_KEPT", 10)
    learner = taught()
    order = web.crawl(learner, 60)
    assert learner.memory.pages < 250
    assert sum(web.topic[page] == "whale" for page in order) > 35


def test_it_says_why_a_link_waits_where_it_does(web: _Web, taught: Callable[[], Learner]) -> None:
    learner = taught()
    web.crawl(learner, 20)
    waiting = [page for page in range(_PAGES) if learner.relevance(page) is None]
    best = max(waiting, key=lambda page: np.nan_to_num(learner.worth([page]))[0])
    link = Link(url=web.url(best), anchor="whale song", before="the train")
    reasons = why_link(learner, best, [link])
    weights = {reason.what: reason.weight for reason in reasons}
    assert weights['"whale"'] > 0 > weights['"train"']
    assert "words of the link" in weights
    said = [abs(reason.weight) for reason in reasons if reason.what.startswith('"')]
    assert said == sorted(said, reverse=True)
    assert [abs(reason.weight) for reason in reasons[-len(said) :]] == said, "evidence first, then words"
    assert why_link(learner, 10**6) == []


def test_it_says_which_words_made_a_page_relevant(taught: Callable[[], Learner]) -> None:
    weights = {reason.what: reason.weight for reason in why_page(taught().judge, "", "whales and a locomotive")}
    assert weights['"whales"'] > 0 > weights['"locomotive"']


def test_what_another_version_learnt_is_refused(taught: Callable[[], Learner]) -> None:
    with pytest.raises(StoreError, match="another version"):
        taught().restore(to_bytes({"worth": np.zeros(1)}))


def test_every_page_that_waits_is_told_of_once_and_then_when_its_worth_changes(
    web: _Web, taught: Callable[[], Learner]
) -> None:
    learner = taught()
    web.crawl(learner, 20)
    learner.revise()
    learner.news()
    assert len(learner.news()[0]) == 0
    first = next(page for page in range(_PAGES) if learner.relevance(page) is None)
    learner.learn(first, web.url(first), PageWords.of("", "whale"))
    learner.score(first, web.url(first), [_PAGES + 7], [Link(url=Url("http://new.example/"), anchor="whale")])
    assert _PAGES + 7 in learner.news()[0].tolist()


_WRONG = [
    ("memory.target", 10**6),
    ("memory.target", -1),
    ("memory.source", 10**6),
    ("memory.found_by", -2),
    ("memory.group", 10**15),
    ("memory.mentions", -1),
    ("memory.addresses.flat", 1 << 18),
    ("memory.on_pages.flat", -5),
    ("memory.on_pages.lengths", 10**6),
    ("memory.addresses.lengths", -3),
    ("judge.ids", 1 << 30),
    ("judge.ends", 10**9),
    ("recent.refs", None),
    ("worth", None),
    ("regression.first@places", 1 << 20),
]


@pytest.mark.parametrize(("name", "number"), _WRONG)
def test_a_damaged_state_is_refused(taught: Callable[[], Learner], name: str, number: int | None) -> None:
    state = msgspec.msgpack.decode(taught().dump())
    kept = f"{name}@short" if f"{name}@short" in state else name
    dtype, shape, values = state[kept]
    if number is None:
        state[kept] = dtype, [max(shape[0] - 1, 0)], values[: -np.dtype(dtype).itemsize]
    else:
        numbers = np.frombuffer(values, dtype).astype(np.int64)
        numbers[len(numbers) // 2] = number
        state[kept] = "<i8", shape, numbers.tobytes()
    with pytest.raises(StoreError, match="damaged"):
        _Learner(words="whale").restore(msgspec.msgpack.encode(state))


def test_explaining_a_link_goes_through_neither_all_words_nor_all_links(
    web: _Web, taught: Callable[[], Learner], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A view explains twenty links at a time, and there are hundreds of thousands of words."""
    learner = taught()
    web.crawl(learner, 20)
    waiting = [page for page in range(_PAGES) if learner.relevance(page) is None]
    best = max(waiting, key=lambda page: np.nan_to_num(learner.worth([page]))[0])

    def refused(*_: object, **__: object) -> None:
        pytest.fail("went through all of it")

    monkeypatch.setattr(TopicWords, "log_odds", refused)
    monkeypatch.setattr(evidence_module, "link_sums", refused)
    link = Link(url=web.url(best), anchor="whale song", before="the train")
    weights = {reason.what: reason.weight for reason in why_link(learner, best, [link])}
    assert weights['"whale"'] > 0 > weights['"train"']
    assert "words of the link" in weights
