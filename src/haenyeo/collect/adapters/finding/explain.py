"""Why was a link taken, why does it wait, why was a page kept? Out of what is stored."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
import numpy as np
import numpy.typing as npt

from haenyeo.collect.adapters.finding.parts import stored_traps, topics_for
from haenyeo.collect.adapters.finding.resume import restored, stored_strategy
from haenyeo.collect.adapters.finding.said import told_by_user
from haenyeo.collect.adapters.finding.topics import TopicAtWork
from haenyeo.collect.links.scope import Scope
from haenyeo.html.links import names_file_without_text
from haenyeo.html.urls import url_hash
from haenyeo.model.config import Settings
from haenyeo.model.pages import Url
from haenyeo.model.parts import Reason, TopicScorer
from haenyeo.model.registry import configured_part
from haenyeo.model.visits import Outcome
from haenyeo.store import Inlink, LinkBatch, Store, StoredPage

Floats = npt.NDArray[np.float64]

_KEY_MASK = (1 << 63) - 1
_MOST_WORDS = 12
_MOST_SOURCES = 20


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """A page that links there; `score` and the words are known where the link was found first."""

    page: Url | None
    relevance: dict[str, float] = {}
    score: float | None = None
    anchor: str = ""
    before: str = ""
    after: str = ""


class Opinion(msgspec.Struct, frozen=True, kw_only=True):
    """What a topic has to say."""

    topic: str
    relevance: float | None = None
    threshold: float
    example: bool | None = None
    reasons: Sequence[Reason] = ()


class Explanation(msgspec.Struct, frozen=True, kw_only=True):
    """All about one address; `state` is one of: kept, read, refused, failed, waiting, outside, unknown.

    `place` counts the waiting links that come before it, of `waiting` in all; `score` is what it is worth now.
    """

    url: Url
    state: str
    reason: str = ""
    title: str = ""
    depth: int | None = None
    score: float | None = None
    place: int | None = None
    waiting: int | None = None
    opinions: Sequence[Opinion] = ()
    sources: Sequence[Source] = ()


def explain(store: Store, settings: Settings, url: Url) -> Explanation:
    """Why this address was taken, skipped, or still waits; why its page was kept or not."""
    strategy = stored_strategy(store) or settings.strategy.scorer
    topics = topics_for(configured_part("scorers", strategy, settings.parts), settings)
    for name, topic in topics.items():
        restored(topic, name, strategy, store)
    page = store.page(url)
    inlinks = store.inlinks(url)
    if page is not None:
        return _visited(store, settings, topics, page, inlinks)
    first = next((inlink.link for inlink in inlinks if inlink.link), None)
    if first is None:
        inside = Scope(settings.scope).holds(url)
        sources = _sources(store, url, inlinks)
        reason = "no page that was read links there" if not inlinks else "no topic wanted to follow the links to it"
        if inside and names_file_without_text(url):
            reason = "a file without text, by its name: links to such are not followed"
        return Explanation(
            url=url,
            state="unknown" if inside else "outside",
            reason=reason if inside else "outside the scope of haenyeo.toml",
            sources=sources,
        )
    key = _key(store, url)
    links = [inlink.link.as_link() for inlink in inlinks if inlink.link]
    opinions = [
        Opinion(topic=name, threshold=topic.least, reasons=_shown(topic.scorer.why_link(key, links)))
        for name, topic in topics.items()
    ]
    score, place, waiting = _standing(store, topics, first.ref, key)
    return Explanation(
        url=url,
        state="waiting",
        depth=first.depth,
        score=score,
        place=place,
        waiting=waiting,
        opinions=opinions,
        sources=_sources(store, url, inlinks),
    )


def _visited(
    store: Store, settings: Settings, topics: dict[str, TopicAtWork], page: StoredPage, inlinks: Sequence[Inlink]
) -> Explanation:
    told, key = told_by_user(settings.topic, store).get(page.url, {}), _key(store, page.url)
    opinions = [
        Opinion(
            topic=name,
            relevance=page.relevance.get(name),
            threshold=topic.least,
            example=told.get(name),
            reasons=_shown(why_of(topic.scorer, page, key)) if page.text else (),
        )
        for name, topic in topics.items()
    ]
    first = next((inlink.link for inlink in inlinks if inlink.link), None)
    return Explanation(
        url=page.url,
        state=_state(page),
        reason=page.reason,
        title=page.title,
        depth=page.depth,
        score=first.score if first else None,
        opinions=opinions,
        sources=_sources(store, page.url, inlinks),
    )


def _shown(reasons: Sequence[Reason]) -> list[Reason]:
    """All reasons but words, and the strongest words, which stand in quotation marks."""
    said = [reason for reason in reasons if reason.what.startswith('"')]
    return [*(reason for reason in reasons if not reason.what.startswith('"')), *said[:_MOST_WORDS]]


def _state(page: StoredPage) -> str:
    if page.kept:
        return "kept"
    if page.outcome is Outcome.REFUSED:
        return "refused"
    return "read" if page.outcome in (Outcome.PAGE, Outcome.DUPLICATE, Outcome.LISTING) else "failed"


def _sources(store: Store, url: Url, inlinks: Sequence[Inlink]) -> list[Source]:
    """The pages that link to an address, itself left out."""
    sources = []
    for inlink in [inlink for inlink in inlinks if inlink.source != url][:_MOST_SOURCES]:
        known = store.page(inlink.source) if inlink.source else None
        relevance = known.relevance if known else {}
        link = inlink.link
        if link is None:
            sources.append(Source(page=inlink.source, relevance=relevance))
            continue
        sources.append(
            Source(
                page=inlink.source,
                relevance=relevance,
                score=link.score,
                anchor=link.anchor,
                before=link.before,
                after=link.after,
            )
        )
    return sources


def why_of(scorer: TopicScorer, page: StoredPage, key: int) -> Sequence[Reason]:
    """Why a page is relevant or not: by what the scorer remembers under this key, if it can tell, else by its words."""
    known: Callable[[int, str, str], Sequence[Reason]] | None = getattr(scorer, "why_known", None)
    return known(key, page.title, page.text) if known else scorer.why_page(page.title, page.text)


def _key(store: Store, url: Url) -> int:
    return url_hash(stored_traps(store).key(url)) & _KEY_MASK


def _standing(store: Store, topics: dict[str, TopicAtWork], ref: int, key: int) -> tuple[float, int, int]:
    """What a waiting link is worth, how many wait before it, and how many in all."""
    worth: dict[int, float] = {}
    for topic in topics.values():
        for other, score in zip(*topic.scorer.revise(), strict=True):
            worth[other] = max(score, worth.get(other, 0.0))
    own = worth.get(key, 0.0)
    every: list[Floats] = [np.zeros(0)]
    for batch in store.waiting():
        every.append(_now_worth(batch, worth))
        own = max(own, every[-1][batch.refs == ref].max(initial=0.0))
    return float(own), int((np.concatenate(every) > own).sum()), sum(map(len, every))


def _now_worth(batch: LinkBatch, worth: dict[int, float]) -> Floats:
    """What links are worth that were found at some time, as far as it is known, else what they were then."""
    then = batch.scores.astype(np.float64)
    if not worth:
        return then
    known = np.array(sorted(worth), np.uint64)
    now = np.array([worth[int(key)] for key in known])
    hashes = batch.hashes & np.uint64(_KEY_MASK)
    at = np.searchsorted(known, hashes).clip(max=len(known) - 1)
    return np.where(known[at] == hashes, now[at], then)
