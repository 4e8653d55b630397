"""What every scorer promises: `LinkScorerPromises` for `LinkScorer`, `TopicScorerPromises` for `TopicScorer`."""

from __future__ import annotations

import functools
import math
import time
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from haenyeo.model.errors import StoreError
from haenyeo.model.pages import Link
from haenyeo.model.parts import LinkedPage, LinkScorer, TopicScorer
from haenyeo.promises.made_up import BADA, ODD, SEA, TOWN, links, links_on, page_of, texts

_MOST_SECONDS = 20.0  # of processor time for a page of megabytes; parts need well under one
_WORDS = "divers reef 해녀 바다"
_FEW = settings(max_examples=max(1, settings().max_examples // 4), deadline=None)


def _is_score(value: float) -> bool:
    return math.isfinite(value) and value <= 1


class LinkScorerPromises:
    """For scorers that are asked about links alone."""

    @_FEW
    @given(found=links)
    def test_every_link_has_a_score_from_0_to_1(self, part: type[LinkScorer], found: Sequence[Link]) -> None:
        for depth in (-1, 0, 1, 40, 100_000):
            scores = list(part().score(found, depth))
            assert len(scores) == len(found)
            assert all(_is_score(score) and score >= 0 for score in scores)

    @_FEW
    @given(found=links)
    def test_the_same_question_has_the_same_answer(self, part: type[LinkScorer], found: Sequence[Link]) -> None:
        scorer = part()
        first = list(scorer.score(found, 3))
        scorer.score(links_on(TOWN), 1)
        assert list(scorer.score(found, 3)) == first == list(part().score(found, 3))

    def test_many_links_take_bounded_time(self, part: type[LinkScorer]) -> None:
        found = links_on(SEA) * 5_000
        began = time.process_time()
        assert len(part().score(found, 2)) == len(found)
        assert time.process_time() - began < _MOST_SECONDS


class TopicScorerPromises:
    """For scorers that judge pages for a topic and learn from them."""

    @_FEW
    @given(said=texts, title=texts, text=texts, found=links)
    def test_any_page_is_judged_and_every_link_scored(
        self, part: Any, said: str, title: str, text: str, found: list[Link]
    ) -> None:
        scorer: TopicScorer = part(words=said)
        page = page_of(7, text, title=title, found=tuple(found))
        for scores in (scorer.example(page, relevant=True), scorer.visit(page).scores):
            assert len(scores) == len(found)
            assert all(map(_is_score, scores))
        relevance = scorer.visit(page_of(8, text, title=title)).relevance
        assert 0 <= relevance <= 1
        _check_revision(scorer, set(page.targets))
        assert all(math.isfinite(reason.weight) for reason in scorer.why_page(title, text))
        assert all(math.isfinite(reason.weight) for reason in scorer.why_link(page.key, found))

    def test_it_is_made_with_the_topics_words_or_without_any(self, part: Any) -> None:
        assert 0 <= part().visit(page_of(1, SEA)).relevance <= 1

    def test_equal_lives_give_equal_judgements(self, part: Any) -> None:
        one, other = _lived(part), _lived(part)
        page = page_of(90, BADA, found=links_on(SEA))
        mine, its = one.visit(page), other.visit(page)
        assert mine.relevance == its.relevance
        assert list(mine.scores) == list(its.scores)

    def test_pages_like_the_good_examples_are_more_relevant_than_pages_like_the_bad_ones(self, part: Any) -> None:
        scorer = _lived(part)
        assert scorer.visit(page_of(91, SEA + " Conch and abalone.")).relevance > (
            scorer.visit(page_of(92, TOWN + " Buses and fees.")).relevance
        )

    def test_what_the_user_says_of_a_page_counts_and_can_be_taken_back(self, part: Any) -> None:
        scorer = _lived(part)
        page = page_of(50, SEA)
        for relevant in (True, False, True):
            scorer.example(page, relevant=relevant)
            assert scorer.relevance(page.key) == float(relevant)

    def test_asking_changes_nothing(self, part: Any) -> None:
        scorer = _lived(part)
        before = scorer.dump()
        for _ in range(2):
            scorer.relevance(1)
            scorer.relevance(123_456)
            scorer.why_page("A title", SEA)
            scorer.why_link(2, links_on(SEA))
            scorer.why_link(123_456, [])
            assert scorer.dump() == before

    def test_it_goes_on_where_its_state_was_kept(self, part: Any) -> None:
        state = _lived(part).dump()
        copy, other = part(words=_WORDS), part(words=_WORDS)
        copy.restore(state)
        other.restore(state)
        again = part(words=_WORDS)
        again.restore(copy.dump())
        for number, text in enumerate((SEA, TOWN, BADA, SEA + TOWN), 200):
            page = page_of(number, text, found=links_on(text))
            judged = [each.visit(page) for each in (copy, other, again)]
            assert judged[0].relevance == judged[1].relevance == pytest.approx(judged[2].relevance, abs=1e-3)
            assert list(judged[0].scores) == list(judged[1].scores)

    def test_what_it_had_learnt_before_a_restart_still_counts(self, part: Any) -> None:
        copy = part(words="")
        copy.restore(_lived(part).dump())
        assert copy.visit(page_of(91, SEA)).relevance > copy.visit(page_of(92, TOWN)).relevance

    def test_state_that_is_damaged_is_refused(self, part: Any) -> None:
        state = _lived(part).dump()
        for data in (b"", b"nothing", b"\xc1" * 40, state[:-7], state[: len(state) // 2]):
            with pytest.raises(StoreError):
                part(words=_WORDS).restore(data)

    @_FEW
    @given(changes=st.lists(st.tuples(st.integers(0, 1 << 20), st.integers(0, 255)), min_size=1, max_size=3))
    def test_state_with_changed_bytes_is_refused_or_can_be_used(
        self, part: Any, changes: list[tuple[int, int]]
    ) -> None:
        data = bytearray(_state(part))
        for place, byte in changes:
            data[place % len(data)] = byte
        scorer: TopicScorer = part(words=_WORDS)
        try:
            scorer.restore(bytes(data))
        except StoreError:
            return
        assert len(scorer.visit(page_of(300, SEA, found=links_on(SEA))).scores) == len(links_on(SEA))
        scorer.revise()

    def test_a_page_met_again_is_judged_again(self, part: Any) -> None:
        scorer = _lived(part)
        for text in (SEA, TOWN, SEA):
            assert 0 <= scorer.visit(page_of(60, text, found=links_on(text))).relevance <= 1
        assert len(scorer.visit(page_of(60, "")).scores) == 0

    def test_huge_pages_take_bounded_time(self, part: Any) -> None:
        scorer = _lived(part)
        began = time.process_time()
        for number, text in enumerate((SEA * 10_000, "가" * 300_000, "x" * 500_000, "".join(ODD) * 1_000), 70):
            scorer.visit(page_of(number, text, found=links_on(SEA) * 60))
        assert time.process_time() - began < _MOST_SECONDS


def _lived(part: Any) -> TopicScorer:
    """A scorer that was given examples and has visited some pages."""
    scorer: TopicScorer = part(words=_WORDS)
    for page, relevant in _examples():
        scorer.example(page, relevant=relevant)
    for page in _visited():
        scorer.visit(page)
        scorer.revise()
    return scorer


@functools.cache
def _state(part: Any) -> bytes:
    return _lived(part).dump()


def _examples() -> list[tuple[LinkedPage, bool]]:
    good = [(page_of(number, f"{SEA} {BADA} {number}"), True) for number in range(1, 4)]
    return [*good, *((page_of(number, f"{TOWN} {number}"), False) for number in range(4, 7))]


def _visited() -> list[LinkedPage]:
    said = [SEA, TOWN, BADA, TOWN + SEA] * 6
    return [page_of(10 + number, f"{text} {number}", found=links_on(text)) for number, text in enumerate(said)]


def _check_revision(scorer: TopicScorer, known: set[int]) -> None:
    keys, scores = scorer.revise()
    assert len(keys) == len(scores)
    assert set(keys) <= known
    assert all(map(_is_score, scores))
