"""What would a verdict change? Tried on a copy of what was learnt; nothing is stored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from haenyeo.collect.adapters.finding.handing import UserVerdict
from haenyeo.collect.adapters.finding.parts import stored_traps, topics_for
from haenyeo.collect.adapters.finding.rejudging import Rejudged, rejudged
from haenyeo.collect.adapters.finding.resume import restored, stored_strategy
from haenyeo.collect.adapters.finding.said import told_by_user
from haenyeo.collect.adapters.finding.topics import TopicAtWork
from haenyeo.html.urls import readable, url_hash
from haenyeo.model.config import Settings
from haenyeo.model.errors import NotThereError
from haenyeo.model.pages import Url
from haenyeo.model.parts import LinkedPage, SaidHow
from haenyeo.model.registry import find_part
from haenyeo.store import Store
from haenyeo.store.shards.opening import open_store

_KEY_MASK = (1 << 63) - 1


class ChangedPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page that would be kept, or no longer be; `relevance` is what the topic would think of it."""

    url: Url
    title: str
    relevance: float


class VerdictPreview(msgspec.Struct, frozen=True, kw_only=True):
    """What a verdict would change: pages that would be kept then, and those that would no longer be."""

    url: Url
    topic: str
    relevant: bool
    now_kept: Sequence[ChangedPage]
    no_longer_kept: Sequence[ChangedPage]


class TopicsInMemory:
    """The topics' scorers as the crawl has stored them last, to try things with."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self.store, self.settings = store, settings
        strategy = stored_strategy(store) or settings.strategy.scorer
        self.topics: dict[str, TopicAtWork] = topics_for(find_part("scorers", strategy), settings)
        for name, topic in self.topics.items():
            restored(topic, name, strategy, store)
        self.told = told_by_user(settings.topic, store)
        traps = stored_traps(store)
        self.key: Callable[[Url], int] = lambda url: url_hash(traps.key(url)) & _KEY_MASK

    def say(self, verdict: UserVerdict) -> None:
        """Let a topic hear the user's word on a page."""
        topic = self.topics.get(verdict.topic)
        page = self.store.page(verdict.url)
        if topic is None or page is None:
            return
        said: SaidHow = "asked" if verdict.asked else "volunteered"
        key, language = self.key(page.url), page.language
        seen = LinkedPage(key=key, url=page.url, title=page.title, text=page.text, language=language, said=said)
        topic.scorer.example(seen, relevant=verdict.relevant)
        self.told.setdefault(page.url, {})[verdict.topic] = verdict.relevant

    def changes(self) -> list[Rejudged]:
        """The pages that are judged otherwise than is stored."""
        return list(rejudged(self.store, self.topics, self.told, self.key))


def preview(folder: Path, settings: Settings, verdict: UserVerdict) -> VerdictPreview:
    """What this verdict would change; raises `NotThereError` for a page that was never fetched."""
    with open_store(folder, writing=False) as store:
        if store.page(verdict.url) is None:
            raise NotThereError(
                f"{readable(verdict.url)} is not in the collection, so what it would change is unknown",
                advice="judge it without --dry-run: the next crawl fetches it, and pages are judged again then",
            )
        trial = TopicsInMemory(store, settings)
        trial.say(verdict)
        changes = trial.changes()
    gained = [page for page in changes if page.gained]
    lost = [page for page in changes if page.lost]
    return VerdictPreview(
        url=verdict.url,
        topic=verdict.topic,
        relevant=verdict.relevant,
        now_kept=[_changed(page, verdict.topic) for page in gained],
        no_longer_kept=[_changed(page, verdict.topic) for page in lost],
    )


def _changed(page: Rejudged, topic: str) -> ChangedPage:
    return ChangedPage(url=page.now.url, title=page.now.title, relevance=page.now.relevance.get(topic, 0.0))
