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
    judges = [(name, topic.scorer.relevance, topic.least) for name, topic in topics.items()]
    for before in store.judgements(newest=_MOST):
        said = told.get(before.url, {})
        number, now = key(before.url), dict(before.relevance)
        for name, relevance, _ in judges:
            value = float(said[name]) if name in said else relevance(number)
            if value is not None:
                now[name] = value
        kept = any(said.get(name, now.get(name, 0.0) >= least) for name, _, least in judges)
        change = max((abs(value - before.relevance.get(name, 0.0)) for name, value in now.items()), default=0.0)
        if kept != before.kept or change >= _CHANGED:
            yield Rejudged(before, msgspec.structs.replace(before, relevance=now, kept=kept))
