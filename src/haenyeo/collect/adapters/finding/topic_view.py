"""One topic's own view of a collection: the pages that belong to it, and the links it would follow next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
import numpy as np
import numpy.typing as npt

from haenyeo.collect.adapters.finding.parts import topics_for
from haenyeo.collect.adapters.finding.resume import restored, stored_strategy
from haenyeo.model.config import Settings
from haenyeo.model.errors import UsageError
from haenyeo.model.pages import Url
from haenyeo.model.registry import configured_part
from haenyeo.store import Store

_KEY_MASK = np.uint64((1 << 63) - 1)


class NextLink(msgspec.Struct, frozen=True, kw_only=True):
    """A link that waits; `score` is what it is worth to the topic."""

    url: Url
    site: str
    score: float
    depth: int
    source: Url | None
    anchor: str
    before: str
    after: str


class TopicView(msgspec.Struct, frozen=True, kw_only=True):
    """What a topic has and wants: `pages` belong to it, `waiting` links are in its frontier, `next` are the best."""

    topic: str
    words: str
    threshold: float
    pages: int
    waiting: int
    next: Sequence[NextLink]


def topic_view(store: Store, settings: Settings, name: str, count: int) -> TopicView:
    """The topic's view, out of what the crawl has stored last."""
    strategy = stored_strategy(store) or settings.strategy.scorer
    topics = topics_for(configured_part("scorers", strategy, settings.parts), settings)
    if name not in topics:
        known = ", ".join(topics) or "none: the strategy judges no pages"
        raise UsageError(f"there is no topic {name!r}", advice=f"topics with words or examples: {known}")
    topic = topics[name]
    restored(topic, name, strategy, store)
    keys, worths = topic.scorer.revise()
    refs, scores = _waiting(store, keys, worths)
    best = np.lexsort((refs, -scores))[:count]
    links = store.links(refs[best].tolist())
    return TopicView(
        topic=name,
        words=settings.topic[name].words,
        threshold=topic.least,
        pages=topic_pages(store, {name: topic.least})[name],
        waiting=len(refs),
        next=[
            NextLink(
                url=link.url,
                site=link.site,
                score=score,
                depth=link.depth,
                source=link.source,
                anchor=link.anchor,
                before=link.before,
                after=link.after,
            )
            for link, score in zip(links, scores[best].tolist(), strict=True)
        ],
    )


def topic_pages(store: Store, least: Mapping[str, float]) -> dict[str, int]:
    """How many of the pages kept belong to each topic, by the relevance from which on they do; some to several."""
    found = dict.fromkeys(least, 0)
    for relevance in store.relevances():
        for name, value in relevance.items():
            if name in found and value >= least[name]:
                found[name] += 1
    return found


def _waiting(
    store: Store, keys: Sequence[int], worths: Sequence[float]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """The links that wait and are in the topic's frontier, and what they are worth to it."""
    known = np.array(keys, np.uint64)
    order = np.argsort(known)
    known, worth = known[order], np.array(worths, np.float64)[order]
    refs: list[npt.NDArray[np.int64]] = [np.zeros(0, np.int64)]
    scores = [np.zeros(0)]
    for batch in store.waiting():
        hashes = batch.hashes & _KEY_MASK
        at = np.searchsorted(known, hashes).clip(max=max(0, len(known) - 1))
        own = known[at] == hashes if len(known) else np.zeros(len(hashes), np.bool_)
        refs.append(batch.refs[own])
        scores.append(worth[at[own]])
    return np.concatenate(refs), np.concatenate(scores)
