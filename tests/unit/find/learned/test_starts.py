"""What the pages a crawl began with lead to says nothing of the links that happen to lead to them."""

from __future__ import annotations

import numpy as np

from haenyeo.find.learned.features import PageWords
from haenyeo.find.learned.judging.judge import Said
from haenyeo.find.learned.judging.traits import PageTraits
from haenyeo.find.learned.learner import Learner
from haenyeo.find.learned.regression import Regression
from haenyeo.model.pages import Link, Url

START, OTHER, LISTED, LIKES = 100, 101, 1000, range(8)
WORDS = PageWords.of("whale", "whale ocean krill song")
TRAITS = PageTraits(words=WORDS, coverage=(1.0, 1.0, 1.0, 1.0, 0.0))


def link(page: int, anchor: str = "contents") -> Link:
    return Link(url=Url(f"http://reef.example/{page}"), anchor=anchor, path="nav>a")


def begun(*, start: bool) -> Learner:
    """A learner whose liked pages all link to a page with a hundred links, and just so to one that waits."""
    learner = Learner(words="whale ocean")
    for like in LIKES:
        url = f"http://reef.example/like/{like}"
        learner.judge.example(like, TRAITS, Said(relevant=True))
        learner.example(like, url, WORDS, relevant=True)
        learner.score(like, url, [START, OTHER], [link(START), link(OTHER)])
    listed = range(LISTED, LISTED + 100)
    learner.judge.see(START, TRAITS)
    learner.learn(START, "http://reef.example/100", WORDS)
    links = [link(page, "whale ocean") for page in listed]
    learner.score(START, "http://reef.example/100", listed, links, start=start)
    learner.revise()
    return learner


def test_links_to_a_start_teach_nothing() -> None:
    untaught = Regression().offsets
    assert np.array_equal(begun(start=True).regression.offsets, untaught)
    assert not np.array_equal(begun(start=False).regression.offsets, untaught)


def test_starts_are_known_after_a_restart() -> None:
    learner, again = begun(start=True), Learner(words="whale ocean")
    again.restore(learner.dump())
    assert again.memory.start.sum() == 1
