"""What a list has led to is told by the pages as they are in context, not by the text of each alone."""

from __future__ import annotations

import numpy as np
import pytest

from haenyeo.find.learned.evidence import GROUP, HUB, KNOWN
from haenyeo.find.learned.features import PageWords
from haenyeo.find.learned.judging.judge import PageJudge
from haenyeo.find.learned.learner import Learner
from haenyeo.model.pages import Link, Url

LIST, LISTED, WAITING = 100, range(8), 9
WORDS = PageWords.of("tide", "tide table")


def url(page: int) -> Url:
    return Url(f"http://reef.example/{page}")


def crawled(in_context: float, monkeypatch: pytest.MonkeyPatch) -> Learner:
    """A learner that followed eight links of one list, to pages that say little, and a ninth waits."""
    monkeypatch.setattr(PageJudge, "odds_by_text", lambda _, __: -3.0)
    monkeypatch.setattr(PageJudge, "odds_of", lambda _, ref: in_context if ref in LISTED else -3.0)
    learner = Learner(words="whale ocean")
    learner.learn(LIST, url(LIST), WORDS)
    pages = [*LISTED, WAITING]
    learner.score(LIST, url(LIST), pages, [Link(url=url(page), anchor=f"{page}", path="ul>li>a") for page in pages])
    for page in LISTED:
        learner.learn(page, url(page), WORDS)
    learner.revise()
    return learner


def test_a_list_pays_by_what_its_pages_are_in_context(monkeypatch: pytest.MonkeyPatch) -> None:
    alone, together = (crawled(odds, monkeypatch).evidence_of(WAITING) for odds in (-3.0, 3.0))
    assert alone is not None
    assert together is not None
    assert alone[GROUP] < -1
    assert together[GROUP] > 1
    assert together[HUB] > alone[HUB]
    assert together[KNOWN] == alone[KNOWN]  # words of links are learnt from what pages say themselves


def test_context_is_known_after_a_restart(monkeypatch: pytest.MonkeyPatch) -> None:
    learner, again = crawled(3.0, monkeypatch), Learner(words="whale ocean")
    again.restore(learner.dump())
    assert np.array_equal(again.memory.in_context, learner.memory.in_context, equal_nan=True)
    assert again.memory.in_context[again.memory.number_of(0)] > 0.9
