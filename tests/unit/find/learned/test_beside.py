"""A page that a list names beside examples is likely meant as well, the more the fewer others the list names."""

from __future__ import annotations

import numpy as np

from haenyeo.find.learned.evidence import BESIDE
from haenyeo.find.learned.features import PageWords
from haenyeo.find.learned.judging.judge import Said
from haenyeo.find.learned.judging.traits import PageTraits
from haenyeo.find.learned.learner import Learner
from haenyeo.find.learned.memory import LinkMemory
from haenyeo.find.learned.naming import beside_examples
from haenyeo.find.learned.reasons import why_link
from haenyeo.model.pages import Link, Url

SOURCE, LIKES = 1000, range(3)
CHAPTER, BOOK = [*LIKES, *range(3, 10)], range(100)
WORDS = PageWords.of("tide", "tide table")
TRAITS = PageTraits(words=WORDS, coverage=(0.0,) * 5)


def url(page: int) -> Url:
    return Url(f"http://reef.example/{page}")


def links(pages: list[int], path: str) -> list[Link]:
    return [Link(url=url(page), anchor="read on", path=path) for page in pages]


def memory(*lists: list[int]) -> LinkMemory:
    """A page with these lists; the likes are the user's."""
    known = LinkMemory()
    for at, pages in enumerate(lists):
        source = known.numbers([SOURCE + at], [url(SOURCE + at)])[0]
        known.add_links(source, url(SOURCE + at), pages, links(pages, "ul>li>a"))
    likes = np.array(known.numbers(LIKES, [url(like) for like in LIKES]))
    known.rate(likes, 1.0)
    known.given[likes] = True
    return known


def test_a_chapter_says_more_than_the_book() -> None:
    known = memory([*BOOK], CHAPTER)
    found = beside_examples(known)
    chapter, book = found[known.numbers_of([5, 50])]
    assert chapter > 1
    assert 0 <= book < 0.1


def test_lists_without_examples_say_nothing() -> None:
    assert not beside_examples(memory([*range(10, 20)], [*range(20, 30)])).any()


def test_lists_of_pages_that_are_not_followed_say_nothing() -> None:
    known = memory([*BOOK], CHAPTER)
    known.followed[:] = False
    assert not beside_examples(known).any()


def test_an_example_that_a_list_names_twice_counts_once() -> None:
    once, twice = memory([*BOOK], [0, 3]), memory([*BOOK], [0, 0, 3])
    assert beside_examples(twice)[twice.number_of(3)] <= beside_examples(once)[once.number_of(3)]


def begun() -> Learner:
    """A learner with three likes that met the contents of a book and one of its chapters, and has read neither."""
    learner = Learner(words="whale ocean")
    for like in LIKES:
        learner.judge.example(like, TRAITS, Said(relevant=True))
        learner.example(like, url(like), WORDS, relevant=True)
    for at, pages in enumerate([[*BOOK], CHAPTER]):
        learner.judge.see(SOURCE + at, TRAITS)
        learner.learn(SOURCE + at, url(SOURCE + at), WORDS)
        learner.score(SOURCE + at, url(SOURCE + at), pages, links(pages, "ul>li>a"))
    learner.revise()
    return learner


def test_what_stands_beside_examples_comes_first() -> None:
    learner = begun()
    beside, elsewhere = learner.evidence_of(5), learner.evidence_of(50)
    assert beside is not None
    assert elsewhere is not None
    assert beside[BESIDE] > 1 > elsewhere[BESIDE]
    assert learner.worth([5])[0] > learner.worth([50])[0]
    assert "named beside examples in a list" in [reason.what for reason in why_link(learner, 5)]


def test_it_is_known_after_a_restart() -> None:
    learner, again = begun(), Learner(words="whale ocean")
    again.restore(learner.dump())
    found, before = again.evidence_of(5), learner.evidence_of(5)
    assert found is not None
    assert before is not None
    assert found[BESIDE] == before[BESIDE] > 1
