"""What a collection holds, in numbers, for one screen."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta

import msgspec

from haenyeo.collect.adapters.finding.shared_crawl import TopicHarvest, topic_harvests
from haenyeo.collect.adapters.finding.topic_view import topic_pages
from haenyeo.collect.adapters.finding.topics import least
from haenyeo.collect.adapters.watching.changes import LayoutChanged, restored, word_of
from haenyeo.collect.advice import advice_for
from haenyeo.collect.service.promises_kept import promises_kept
from haenyeo.model.config import Settings
from haenyeo.refresh.promise import PromisedWeek
from haenyeo.store import Counts, FoundCounts, SiteCounts, Store


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """Why pages were not read, how many, and what can be done about it."""

    outcome: str
    reason: str
    pages: int
    example: str
    advice: str = ""


class Overview(msgspec.Struct, frozen=True, kw_only=True):
    """The collection at a glance; `topic_pages` counts the pages of each topic, some of which belong to several.

    `topic_harvests` say what each of several topics had of the crawl, none if there is one.

    `week` counts the changes of the last seven days by kind, layouts by grade. `promises` are the changes that the
    planner expected of the pages it visited, week by week, and those that were found.
    `visits` are all visits so far by what they found, with the bytes they took.
    """

    collection: str
    topics: dict[str, str]
    topic_pages: dict[str, int]
    topic_harvests: tuple[TopicHarvest, ...]
    counts: Counts
    waiting: int
    sites: tuple[SiteCounts, ...]
    failures: tuple[Failure, ...]
    visits: tuple[FoundCounts, ...]
    week: dict[str, int]
    promises: list[PromisedWeek] = []


def overview_of(store: Store, settings: Settings) -> Overview:
    """Count everything; needs only reading."""
    topics = settings.topic
    return Overview(
        collection=str(store.folder),
        topics={name: topic.words for name, topic in topics.items()},
        topic_pages=topic_pages(store, {name: least(topic.threshold) for name, topic in topics.items()}),
        topic_harvests=topic_harvests(store, topics),
        counts=store.counts(),
        waiting=store.waiting_count(),
        sites=tuple(store.site_counts()),
        failures=tuple(
            Failure(
                outcome=row.outcome,
                reason=row.reason,
                pages=row.pages,
                example=row.example,
                advice=advice_for(row.reason),
            )
            for row in store.failures()
        ),
        visits=tuple(store.found_counts()),
        week=dict(_changes_since(store, datetime.now(UTC) - timedelta(days=7)).most_common()),
        promises=promises_kept(store),
    )


def _changes_since(store: Store, since: datetime) -> Counter[str]:
    changes = (restored(event) for event in store.events(since=since))
    return Counter(
        change.grade if isinstance(change, LayoutChanged) else word_of(change)
        for change in changes
        if change is not None
    )
