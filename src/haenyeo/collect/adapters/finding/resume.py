"""Takes finding up where it was left: what was stored, the pages read since then, the examples given meanwhile."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from itertools import islice
from pathlib import Path

import msgspec
import numpy as np

from haenyeo.collect.adapters.finding.said import standings, told_by_user
from haenyeo.collect.adapters.finding.topical import TopicFinder
from haenyeo.collect.adapters.finding.topics import LEARNT, PART, Checkpoint, TopicAtWork
from haenyeo.html.parse import parse_page
from haenyeo.html.urls import canonical, url_hash
from haenyeo.model.config import Topic
from haenyeo.model.errors import MarkupError, StoreError
from haenyeo.model.pages import Url
from haenyeo.model.parts import LinkedPage
from haenyeo.store import Store
from haenyeo.words.korean import chosen

_MOST_READ_AGAIN = 5_500  # pages; what was learnt from earlier ones would hardly be remembered
_KEY_MASK = np.uint64((1 << 63) - 1)

_log = logging.getLogger(__name__)
_checkpoints = msgspec.msgpack.Decoder(Checkpoint)


def resume(finder: TopicFinder, store: Store, topics: Mapping[str, Topic]) -> None:
    """Bring the scorers up to date."""
    finder.given = topics
    finder.told, finder.standing = told_by_user(topics, store), standings(store)
    last_page = min((restored(topic, name, finder.strategy, store) for name, topic in finder.topics.items()), default=0)
    after = max(last_page, store.newest_page() - _MOST_READ_AGAIN)
    pages = list(islice(store.pages(kept_only=False, after=after), _MOST_READ_AGAIN))
    for page in pages:
        finder.learn_again(page)
        finder.revise()  # as often as when it was fetched: what is learnt from a page rests on what was known then
    _teach_saved(finder, topics, store.folder)
    finder.teach_known()
    finder.place(_places(finder, store), max([last_page, *(page.id for page in pages)]))


def restored(topic: TopicAtWork, name: str, strategy: str, store: Store) -> int:
    """The last page the topic's scorer knows after taking up what was stored for it.

    What another strategy has learnt, or one that read Korean words in another way, is of no use: it begins anew.
    """
    stored = store.state(PART, name)
    checkpoint = _checkpoints.decode(stored) if stored else None
    if checkpoint is None or checkpoint.strategy != strategy or checkpoint.korean != chosen():
        return 0
    try:
        topic.scorer.restore(checkpoint.learnt or store.state(LEARNT, name) or b"")
    except StoreError as error:
        _log.warning("topic %s: %s; %s", name, error, error.advice)
        return 0
    topic.taught = {key: key not in checkpoint.disliked for key in checkpoint.taught}
    return checkpoint.page


def _teach_saved(finder: TopicFinder, topics: Mapping[str, Topic], folder: Path) -> None:
    """Teach the examples that are saved pages of the collection's folder."""
    for name, topic in topics.items():
        for examples, relevant in ((topic.unlike, False), (topic.like, True)):
            for example in examples:
                key = url_hash(example) >> 1
                if canonical(example) is None and name in finder.topics and key not in finder.topics[name].taught:
                    finder.topics[name].taught[key] = relevant
                    finder.topics[name].scorer.example(_saved(folder / example, key), relevant=relevant)


def _saved(path: Path, key: int) -> LinkedPage:
    """A saved page; where its links lead cannot be told without its address."""
    url = Url(path.as_uri())
    try:
        markup = parse_page(path.read_bytes(), Url("http://saved.invalid/"))
    except (OSError, MarkupError):
        return LinkedPage(key=key, url=url)
    return LinkedPage(key=key, url=url, title=markup.title, text=markup.text)


def stored_strategy(store: Store) -> str:
    """The strategy whose knowledge is stored: that of the last crawl; nothing if there is none."""
    learnt = next((value for _, value in store.states(PART)), None)
    return _checkpoints.decode(learnt).strategy if learnt else ""


def _places(finder: TopicFinder, store: Store) -> dict[int, tuple[int, str]]:
    """Under which reference and site the pages wait that the scorers remember."""
    finder.revise()
    known = np.array(sorted(_remembered(finder.topics.values())), np.uint64)
    names = store.sites()
    places: dict[int, tuple[int, str]] = {}
    for batch in store.waiting():
        hashes = batch.hashes & _KEY_MASK
        for row in np.flatnonzero(np.isin(hashes, known)).tolist():
            places[int(hashes[row])] = int(batch.refs[row]), names[int(batch.sites[row])]
    return places


def _remembered(topics: Iterable[TopicAtWork]) -> set[int]:
    return {key for topic in topics for key in topic.worth}
