"""What do the topics think by now of the pages that were read? Those whose judgement has changed, before and after."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

import msgspec

from haenyeo.collect.adapters.finding.topics import TopicAtWork
from haenyeo.model.pages import Url
from haenyeo.store import Store, StoredJudgement

_MOST = 6_000  # pages, the newest; scorers remember fewer
_CHANGED = 0.02  # a smaller change of relevance is not worth writing

Told = Mapping[Url, Mapping[str, bool]]
"""What the user says of pages, by topic."""


class Rejudged(NamedTuple):
    """A page whose judgement changes."""

    before: StoredJudgement
    now: StoredJudgement

    @property
    def gained(self) -> bool:
        """Is it kept now, and was not?"""
        return self.now.kept and not self.before.kept

    @property
    def lost(self) -> bool:
        """Is it no longer kept?"""
        return self.before.kept and not self.now.kept


def rejudged(
    store: Store, topics: Mapping[str, TopicAtWork], told: Told, key: Callable[[Url], int]
) -> Iterator[Rejudged]:
    """The newest pages that the topics judge otherwise than is stored; `key` is the number a scorer knows a page by."""
    for topic in topics.values():
        topic.settle()
    for before in store.judgements(newest=_MOST):
        said = told.get(before.url, {})
        number = key(before.url)
        known = {name: topic.scorer.relevance(number) for name, topic in topics.items()}
        thought = {name: value for name, value in known.items() if value is not None}
        now = {**before.relevance, **thought, **{name: float(good) for name, good in said.items() if name in topics}}
        kept = any(said.get(name, topic.wants(now.get(name, 0.0))) for name, topic in topics.items())
        change = max((abs(value - before.relevance.get(name, 0.0)) for name, value in now.items()), default=0.0)
        if kept != before.kept or change >= _CHANGED:
            yield Rejudged(before, msgspec.structs.replace(before, relevance=now, kept=kept))
