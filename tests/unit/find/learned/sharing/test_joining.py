"""Crawls for one topic that tell each other what they learn know what one crawl would know."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest

from haenyeo.find.learned.columns import Numbers
from haenyeo.find.learned.features import WORD_IDS
from haenyeo.find.learned.learner import Learner
from haenyeo.find.learned.sharing.joining import told
from haenyeo.find.learned.state import from_bytes
from haenyeo.find.learned.strategy import Learned
from haenyeo.model.pages import Link, Url
from haenyeo.model.parts import LinkedPage

WHALES = ["whale", "ocean", "krill", "fin", "pod", "calf", "song", "blubber"]
BREAD = ["bread", "flour", "yeast", "oven", "dough", "crust", "baker", "loaf"]
COMMON = ["day", "year", "people", "place", "water", "city", "world", "time"]


def page(number: int, *, whale: bool, site: str = "a.example") -> LinkedPage:
    """A page about whales or bread, that links to two others with the words of its topic."""
    chance = random.Random(number)
    words = WHALES if whale else BREAD
    text = " ".join(chance.choices(words + COMMON, k=60))
    links = [
        Link(url=Url(f"https://{site}/{words[0]}/{number}/{each}"), anchor=" ".join(chance.choices(words, k=3)))
        for each in range(2)
    ]
    targets = [number * 10 + each for each in (1, 2)]
    url = Url(f"https://{site}/p/{number}")
    return LinkedPage(
        key=number * 10, url=url, title=words[0], text=text, main=text, depth=1, links=links, targets=targets
    )


def learned(numbers: Sequence[int], site: str = "a.example") -> Learned:
    """A crawl that was given one page about whales and has visited these pages, every third about whales."""
    scorer = Learned(words="whale")
    scorer.example(page(1_000_000, whale=True), relevant=True)
    for number in numbers:
        scorer.visit(page(number, whale=number % 3 == 0, site=site))
    scorer.revise()
    return scorer


def share(*crawls: Learned) -> None:
    """Let all hear of all."""
    told = {number: crawl.told() for number, crawl in enumerate(crawls)}
    everything = Learned.joined(told)
    for number, crawl in enumerate(crawls):
        crawl.hear(everything, told[number], number)


def test_words_are_counted_as_if_one_had_read_all_pages() -> None:
    one, other, whole = learned(range(1, 40)), learned(range(40, 80)), learned(range(1, 80))
    share(one, other)
    together, alone = (dict(zip(*each.learner.topic.log_odds(), strict=True)) for each in (one, whole))
    assert together.keys() == alone.keys()
    assert np.corrcoef([together[word] for word in alone], list(alone.values()))[0, 1] > 0.97
    assert dict(zip(*other.learner.topic.log_odds(), strict=True)) == pytest.approx(together, abs=1e-3)


def test_what_is_told_twice_or_heard_twice_changes_nothing() -> None:
    one, other = learned(range(1, 40)), learned(range(40, 80))
    share(one, other)
    before = dict(zip(*one.learner.topic.log_odds(), strict=True))
    share(one, other)
    share(one, other)
    assert dict(zip(*one.learner.topic.log_odds(), strict=True)) == pytest.approx(before, abs=1e-3)
    assert len(one.learner.balance.others.relevance) == len(other.learner.balance.outcomes(other.learner.memory)[1])


def test_what_a_crawl_tells_is_its_own_alone() -> None:
    one, other = learned(range(1, 40)), learned(range(40, 80))
    before = one.learner.topic.own.totals, len(one.learner.balance.outcomes(one.learner.memory).relevance)
    share(one, other)
    assert (one.learner.topic.own.totals, len(one.learner.balance.outcomes(one.learner.memory).relevance)) == before


def test_a_crawl_that_has_read_nothing_tells_good_links_from_others_by_what_is_heard() -> None:
    read, fresh = learned(range(1, 120)), Learned(words="whale")
    told = {0: read.told()}
    fresh.hear(Learned.joined(told), b"", 1)
    fresh.learner.revise()
    good, bad = (fresh.learner.topic_weights(_places(words)) for words in (["krill", "blubber"], ["yeast", "dough"]))
    assert min(good) > 0 > max(bad)


def _places(words: Sequence[str]) -> list[int]:
    return [WORD_IDS.of(word)[0] for word in words]


def test_links_of_a_page_read_elsewhere_wait_and_are_worth_what_its_relevance_says() -> None:
    scorer = learned(range(1, 60))
    share(scorer, learned(range(60, 80)))
    for number, relevance in ((500, 0.95), (501, 0.02)):
        scorer.receive(page(number, whale=number == 500, site="b.example"), relevance)
    scorer.learner.revise()
    worth = scorer.learner.worth([5001, 5002, 5011, 5012])
    assert not np.isnan(worth).any()
    assert worth[:2].min() > worth[2:].max()


def test_a_crawl_that_witnesses_the_pages_of_others_knows_what_they_know() -> None:
    reading, watching = learned(range(1, 60)), learned([])
    for number in range(1, 60):
        watching.witness(page(number, whale=number % 3 == 0))
        watching.witness(page(number, whale=number % 3 == 0))
    watching.learner.revise()
    reading.learner.revise()
    keys, worth = reading.learner.waiting()
    assert watching.learner.worth(keys) == pytest.approx(worth, abs=1e-3)
    assert watching.visits == 0


def test_pages_of_others_are_not_told_as_ones_own() -> None:
    one, both = learned(range(1, 40)), learned(range(1, 40))
    for number in range(40, 80):
        both.witness(page(number, whale=number % 3 == 0))
    tell = [crawl.learner for crawl in (one, both)]
    mine, shared = (told_by(each) for each in tell)
    assert shared["words.totals"][0] == mine["words.totals"][0]
    assert len(shared["rows.relevance"]) == len(mine["rows.relevance"])


def test_sums_of_more_pages_replace_those_that_were_witnessed() -> None:
    one, other, whole = learned(range(1, 40)), learned(range(40, 120)), learned(range(1, 120))
    for number in range(40, 60):
        one.witness(page(number, whale=number % 3 == 0))
    share(one, other)
    assert not one.learner.heard
    assert one.learner.topic.own.totals[0] == learned(range(1, 40)).learner.topic.own.totals[0]
    together, alone = (dict(zip(*each.learner.topic.log_odds(), strict=True)) for each in (one, whole))
    assert np.corrcoef([together[word] for word in alone], list(alone.values()))[0, 1] > 0.97


def test_sums_of_fewer_pages_than_were_witnessed_wait() -> None:
    one, other = learned(range(1, 40)), learned(range(40, 50))
    for number in range(40, 70):
        one.witness(page(number, whale=number % 3 == 0))
    share(one, other)
    assert len(one.learner.heard) == 30
    assert one.learner.topic.others is None


def test_what_was_witnessed_is_known_to_be_others_after_a_restart() -> None:
    one, again = learned(range(1, 40)), Learned(words="whale")
    for number in range(40, 60):
        one.witness(page(number, whale=number % 3 == 0))
    again.restore(one.dump())
    after, before = (told_by(each.learner) for each in (again, one))
    assert after["words.totals"] == pytest.approx(before["words.totals"], rel=0.03)
    assert len(again.learner.heard) == 20


def test_links_of_a_page_that_was_witnessed_are_not_learnt_twice() -> None:
    one, seen = learned(range(1, 40)), page(40, whale=True)
    one.hear(Learned.joined({1: learned(range(40, 90)).told()}), b"", 0)
    one.witness(seen)
    links = one.learner.memory.links
    one.receive(seen, 1.0)
    assert one.learner.memory.links == links


def told_by(learner: Learner) -> dict[str, Numbers]:
    """What a learner tells, as arrays."""
    return from_bytes(told(learner))
