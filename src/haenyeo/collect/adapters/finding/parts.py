"""Puts queue and finder together, as the settings name them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from inspect import signature
from typing import Any

from haenyeo.collect.adapters.finding.backlinks import all_of, from_file, from_store
from haenyeo.collect.adapters.finding.finder import Finder, PlainFinder
from haenyeo.collect.adapters.finding.resume import resume
from haenyeo.collect.adapters.finding.shared_crawl import is_known_to
from haenyeo.collect.adapters.finding.topical import TopicFinder
from haenyeo.collect.adapters.finding.topics import TopicAtWork, UnsaidWorth
from haenyeo.collect.links.outbox import Outbox, Owns
from haenyeo.collect.links.queue import CrawlQueue
from haenyeo.collect.links.scope import Scope
from haenyeo.find.bfs import BreadthFirst
from haenyeo.find.traps import Traps
from haenyeo.html.urls import canonical
from haenyeo.model.config import Settings, Topic
from haenyeo.model.pages import Url
from haenyeo.model.parts import Backlinks
from haenyeo.model.registry import configured_part
from haenyeo.store import Store
from haenyeo.words.korean import choose

TRAPS = "traps"
"""The part under whose name the store has what sites have taught about their traps; the key is the site."""


def stored_traps(store: Store) -> Traps:
    """The traps of all sites as the store has them; each site is read when it is met."""
    return Traps(partial(store.state, TRAPS), partial(store.put_state, TRAPS))


def finding_of(
    store: Store, settings: Settings, traps: Traps, backlinks: Backlinks | None = None, owns: Owns | None = None
) -> tuple[CrawlQueue, Finder]:
    """The queue as it was left, and a finder that knows what was learnt; `backlinks` knows links to examples.

    `owns` says which sites are this crawl's; all are without it.
    """
    part = configured_part("scorers", settings.strategy.scorer, settings.parts)
    topics = topics_for(part, settings, store, backlinks)
    scorer = UnsaidWorth() if topics else (BreadthFirst if is_topical(part) else part)()
    weights = [topic.weight for topic in topics.values()] or [1.0]
    queue = CrawlQueue(
        store,
        Scope(settings.scope),
        scorer,
        traps,
        per_site=settings.pace.per_site,
        weights=weights,
        outbox=Outbox(store, owns) if owns else None,
    )
    queue.rebuild()
    feeds = settings.scope.sitemaps and all(topic.follows_lists for topic in topics.values())
    if not topics:
        return queue, PlainFinder(queue, feeds=feeds)
    if len(topics) > 1:
        queue.claimed = _starts_by_topic([settings.topic[name] for name in topics])
    finder = TopicFinder(store, queue, topics, settings.strategy.scorer, feeds=feeds)
    resume(finder, store, settings.topic)
    return queue, finder


def _starts_by_topic(topics: Sequence[Topic]) -> dict[Url, set[int]]:
    """Which of these topics start from an address."""
    claimed: dict[Url, set[int]] = {}
    for number, topic in enumerate(topics):
        for address in filter(None, map(canonical, topic.seeds or topic.like)):
            claimed.setdefault(address, set()).add(number)
    return claimed


def is_topical(part: Any) -> bool:
    """Does this scorer judge pages for a topic, or links alone?"""
    return hasattr(part, "visit")


def topics_for(
    part: Any, settings: Settings, store: Store | None = None, backlinks: Backlinks | None = None
) -> dict[str, TopicAtWork]:
    """The topics of the settings, each with a scorer of its own; none if the scorer or the topics do not ask for it.

    With a `store` scorers can ask which links lead to a page; `backlinks` may know more of them.
    """
    if not is_topical(part):
        return {}
    choose(settings.strategy.korean)
    said = {name: topic for name, topic in settings.topic.items() if topic.words or topic.like}
    topics = {}
    for name, topic in said.items():
        known = [from_file(store.folder / topic.backlinks)] if store and topic.backlinks else []
        known += [from_store(store, partial(is_known_to, store, name))] if store else []
        known += [backlinks] if backlinks else []
        offered = {"ontology": settings.ontology, "backlinks": all_of(*known)}
        taken = {key: value for key, value in offered.items() if key in signature(part).parameters}
        topics[name] = TopicAtWork(
            scorer=part(words=topic.words, **taken), threshold=topic.threshold, weight=topic.weight
        )
    return topics
