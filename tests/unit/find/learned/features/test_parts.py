"""Which pages are parts of others, and how much is learnt from them."""

import numpy as np
import pytest

from haenyeo.find.learned.features import PageWords
from haenyeo.find.learned.features.parts import apart, folder_of, folders_around, share_left
from haenyeo.find.learned.judging.judge import Said
from haenyeo.find.learned.judging.traits import PageTraits
from haenyeo.find.learned.learner import Learner
from haenyeo.model.pages import Link, Url

_COURSE, _EXERCISE, _OTHER = (
    Url("http://u.example/ai/"),
    Url("http://u.example/ai/one.html"),
    Url("http://u.example/db/"),
)
_TEXT = PageWords.of("course", "lecture exam homework syllabus instructor")
_UNLIKE = PageWords.of("shop", "price cart order shoes delivery")


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


def _taught(*examples: str) -> Learner:
    learner = _Learner(words="course")
    for ref, url in enumerate(examples, 100):
        learner.example(ref, url, PageWords.of("course", f"lecture exam homework syllabus {ref}"), relevant=True)
    learner.example(200, "http://shop.example/", _UNLIKE, relevant=False)
    learner.revise()
    learner.learn(1, _COURSE, _TEXT)
    learner.score(1, _COURSE, [2, 3], [Link(url=_EXERCISE, anchor="one"), Link(url=_OTHER, anchor="databases")])
    for ref, url in ((2, _EXERCISE), (3, _OTHER)):
        learner.learn(ref, url, _TEXT)
    return learner


def _learnt_from(learner: Learner, ref: int) -> float:
    number = learner.memory.numbers_of([ref])[0]
    return float(learner.memory.relevance[number])


def test_little_is_learnt_from_a_part_where_examples_come_from_many_sites_but_it_is_kept() -> None:
    learner = _taught("http://a.example/", "http://b.example/", "http://c.example/")
    assert _learnt_from(learner, 2) < _learnt_from(learner, 3) / 2
    assert learner.relevance(2) == pytest.approx(learner.relevance(3), abs=0.1)


def test_parts_count_like_others_where_the_examples_come_from_one_site() -> None:
    learner = _taught("http://a.example/1", "http://a.example/2", "http://a.example/3")
    assert _learnt_from(learner, 2) == learner.relevance(2)


def test_the_pages_of_a_folder_that_others_enter_at_many_places_are_no_parts() -> None:
    examples = ("http://a.example/", "http://b.example/", "http://c.example/")
    closed, entered = _taught(*examples), _taught(*examples)
    inside = [Url(f"http://u.example/ai/{name}.html") for name in "abcdef"]
    for learner, at in ((closed, Url("http://u.example/ai/all/")), (entered, Url("http://list.example/ai/"))):
        learner.learn(4, at, _UNLIKE)
        learner.score(4, at, range(10, 16), [Link(url=url) for url in inside])
        learner.score(1, _COURSE, [20], [Link(url=Url("http://u.example/ai/last.html"))])
        learner.learn(20, "http://u.example/ai/last.html", _TEXT)
    assert _learnt_from(closed, 20) < _learnt_from(closed, 3) / 2
    assert _learnt_from(entered, 20) > _learnt_from(entered, 3) * 0.7


def test_what_is_learnt_from_a_part_survives_a_restart_and_a_revision() -> None:
    learner = _taught("http://a.example/", "http://b.example/", "http://c.example/")
    loaded = _Learner(words="course")
    loaded.restore(learner.dump())
    learner.revise()
    assert loaded.relevance(2) == pytest.approx(learner.relevance(2))
    assert _learnt_from(loaded, 2) == pytest.approx(_learnt_from(learner, 2))
    assert _learnt_from(loaded, 2) < _learnt_from(loaded, 3) / 2


def test_a_part_the_user_likes_counts_in_full() -> None:
    learner = _taught("http://a.example/", "http://b.example/", "http://c.example/")
    learner.example(2, _EXERCISE, _TEXT, relevant=True)
    assert learner.relevance(2) == _learnt_from(learner, 2) == 1


@pytest.mark.parametrize(
    ("url", "folder"),
    [
        ("http://a.example/ai/one.html?x=/y/", "http://a.example/ai/"),
        ("http://a.example/ai/", "http://a.example/ai/"),
        ("http://a.example/one.html", ""),
        ("http://a.example", ""),
        ("", ""),
    ],
)
def test_a_folder_is_less_than_a_site(url: str, folder: str) -> None:
    assert folder_of(url) == folder


def test_examples_are_wholes_as_far_as_each_has_a_site_of_its_own() -> None:
    assert [apart(np.array(sites)) for sites in ([], [1], [1, 1, 1], [1, 2, 3], [1, 1, 2])] == [0, 0, 0, 1, 0.5]
    assert share_left(0.0, 1.0, 1) == share_left(1.0, 0.0, 1) == 1
    assert 0 < share_left(1.0, 1.0, 0) == share_left(1.0, 1.0, 1) < 0.1
    assert share_left(1.0, 1.0, 5) > 0.8


def test_a_page_is_in_all_folders_of_its_address() -> None:
    assert folders_around("http://a.example/x/y/one.html?z=/") == ["http://a.example/x/y/", "http://a.example/x/"]
    assert folders_around("http://a.example/") == []
