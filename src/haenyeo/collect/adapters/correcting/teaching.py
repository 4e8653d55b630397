"""The judge asks: pages at the border of what is kept, the most useful first, and what the answers have brought."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec
import numpy as np

from haenyeo.collect.adapters.correcting.judging import topic_of
from haenyeo.collect.adapters.correcting.preview import TopicsInMemory
from haenyeo.collect.adapters.finding.handing import UserVerdict
from haenyeo.collect.adapters.finding.parts import finding_of, stored_traps
from haenyeo.collect.adapters.finding.said import note
from haenyeo.find.learned.judging.asking import Estimate
from haenyeo.find.learned.judging.judge import PageJudge
from haenyeo.find.learned.strategy import Learned
from haenyeo.model.config import Settings
from haenyeo.model.errors import UsageError
from haenyeo.model.pages import Url
from haenyeo.store import Store

_EXCERPT = 400  # characters


class TopicQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """A page to ask about; `relevance` is how likely the judge thinks it is on the topic."""

    url: Url
    title: str
    excerpt: str
    relevance: float
    kept: bool


class Questioner:
    """Chooses what to ask about a topic, and estimates how good what is kept is."""

    def __init__(self, store: Store, settings: Settings, topic: str) -> None:
        self._store, self.topic = store, topic
        self._trial = TopicsInMemory(store, settings)
        self._judge = _judge_of(self._trial, topic)
        self._judge.settle()
        self._urls = {self._trial.key(page.url): page for page in store.judgements()}

    def questions(self, most: int, skipped: Iterable[Url] = ()) -> list[TopicQuestion]:
        """The pages most useful to ask about, without those that were skipped."""
        doubts, left = self._judge.doubts(), {self._trial.key(url) for url in skipped}
        among = [key in self._urls and key not in left for key in doubts.keys.tolist()]
        keys = doubts.next_questions(np.array(among, np.bool_), most)
        return [self._question(key) for key in keys]

    def hear(self, verdict: UserVerdict) -> None:
        """Take in an answer."""
        self._trial.say(verdict)
        self._judge.settle()

    def estimate(self) -> Estimate:
        """How good what is kept should be by now."""
        return self._judge.doubts().estimate()

    def pays(self) -> bool:
        """Is there a page left whose side is in doubt?"""
        return self._judge.doubts().in_doubt()

    def _question(self, key: int) -> TopicQuestion:
        known = self._urls[key]
        page = self._store.page(known.url)
        chance = self._judge.probability(key) or 0.0
        excerpt = _excerpt(page.text, known.title) if page else ""
        return TopicQuestion(
            url=known.url, title=known.title, excerpt=excerpt, relevance=chance, kept=chance >= self._judge.cut
        )


class TeachingSession:
    """Answers given one after the other; each is stored at once, and all take effect together at the end."""

    def __init__(self, folder: Path, settings: Settings, topic: str = "") -> None:
        self._settings = settings
        self.topic = topic_of(settings, topic)
        self._heard: list[UserVerdict] = []
        self.changed = (0, 0)
        with ExitStack() as undoing:
            self._store = undoing.enter_context(Store.open(folder, writing=True))
            self.questioner = Questioner(self._store, settings, self.topic)
            undoing.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.finish()
        finally:
            self._store.close()

    def answer(self, url: Url, *, relevant: bool) -> Estimate:
        """Store an answer; returns how good what is kept should be with it."""
        verdict = UserVerdict(url=url, topic=self.topic, relevant=relevant, asked=True)
        note(self._store, verdict)
        self._store.flush()
        self._heard.append(verdict)
        self.questioner.hear(verdict)
        return self.questioner.estimate()

    def finish(self) -> None:
        """Let all answers take effect; `changed` counts the pages that are kept then, and those that no longer are."""
        if self._heard:
            heard, self._heard = self._heard, []
            _, finder = finding_of(self._store, self._settings, stored_traps(self._store))
            self.changed = finder.hear(heard)
            finder.remember()
            self._store.flush()


def _excerpt(text: str, title: str) -> str:
    """The beginning of a text in whole words, without its title, which is shown already."""
    opening = " ".join(text[: 2 * _EXCERPT].split()).removeprefix(" ".join(title.split())).lstrip()
    if len(opening) <= _EXCERPT:
        return opening
    whole, blank, _ = opening[:_EXCERPT].rpartition(" ")
    return whole if blank else opening[:_EXCERPT]


def _judge_of(trial: TopicsInMemory, topic: str) -> PageJudge:
    scorer = trial.topics[topic].scorer if topic in trial.topics else None
    if not isinstance(scorer, Learned):
        raise UsageError("only the default strategy asks questions", advice="judge pages with: haenyeo judge")
    if not scorer.judge.keys():
        raise UsageError("there are no pages to ask about yet", advice="crawl first: haenyeo crawl NAME --pages 200")
    return scorer.judge
