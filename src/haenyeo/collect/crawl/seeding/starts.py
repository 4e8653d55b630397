"""Where a crawl starts: the seeds of its topics or the pages they like, or else what sources of seeds find."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Self

import msgspec

from haenyeo.collect.adapters.finding.finder import Starts
from haenyeo.fetch.client import Client
from haenyeo.html.sitemaps import is_listing
from haenyeo.html.urls import canonical, origin_of
from haenyeo.model.config import Settings, Topic
from haenyeo.model.errors import SeedError, UsageError
from haenyeo.model.pages import Url
from haenyeo.model.parts import Ask, SeedSource, SeedsWanted
from haenyeo.model.registry import find_part
from haenyeo.model.visits import Answer, Outcome
from haenyeo.store import Store

PART = "seeds"
"""The part under whose name the store has the seeds that were found, by the words they were found for."""

ADDED = "added-seeds.txt"
"""The file in a collection's folder with the seeds that were added later, one a line."""

_MOST_FEEDS = 20
_LARGEST_ANSWER = 4 * 1024 * 1024
_ADVICE = (
    'add some to haenyeo.toml, seeds = ["https://..."] in [topic.NAME], or name a source in [seeds]:'
    ' file = "seeds.txt", or searxng = "http://127.0.0.1:8888"'
)
_EVERYWHERE = ("0.0.0.0/0", "::/0")

_addresses = msgspec.msgpack.Decoder(list[str])


def given_starts(topics: Iterable[Topic]) -> list[Url]:
    """The seeds of all topics, and the pages liked of those without seeds."""
    given = [address for topic in topics for example in topic.seeds or topic.like if (address := canonical(example))]
    return list(dict.fromkeys(given))


def added_starts(folder: Path) -> list[Url]:
    """The seeds that were added to the collection since it was made."""
    try:
        lines = (folder / ADDED).read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return []
    return [address for line in lines if (address := canonical(line.strip()))]


def put_starts(folder: Path, urls: Sequence[Url]) -> list[Url]:
    """Add seeds; returns those that were new. They are asked for when a crawl starts."""
    before = {*added_starts(folder)}
    new = [url for url in dict.fromkeys(urls) if url not in before]
    with (folder / ADDED).open("a", encoding="utf-8") as file:
        file.writelines(f"{url}\n" for url in new)
    return new


def known_starts(store: Store, settings: Settings) -> Starts:
    """Where to start as far as it is known: at seeds that were given, found by sources before, or added.

    Those that were added are for all topics, and a topic without any starts where the others do.
    """
    own = {name: given_starts([topic]) or _found_before(topic, store) for name, topic in settings.topic.items()}
    all_urls = dict.fromkeys([*itertools.chain.from_iterable(own.values()), *(added := added_starts(store.folder))])
    shared = {*added}
    return {url: {name for name, urls in own.items() if url in shared or not urls or url in urls} for url in all_urls}


def _found_before(topic: Topic, store: Store) -> list[Url]:
    known = store.state(PART, topic.words) if topic.words else None
    return [Url(address) for address in _addresses.decode(known)] if known is not None else []


async def starts(store: Store, settings: Settings, ask: Ask) -> Starts:
    """Where to start; sources are asked once, by `ask`, for a topic that has neither seeds nor pages to like.

    Raises `UsageError` that says what was tried if there is nothing to start from and no link waits.
    """
    without = [topic for topic in settings.topic.values() if topic.words and not given_starts([topic])]
    failures: list[SeedError] = []
    if without:
        async with _Asking(settings, ask) as asking:
            for topic in without:
                await _find_for(topic.words, store, settings, asking, failures)
    found = known_starts(store, settings)
    if not found and not any(len(batch) for batch in store.waiting()):
        tried = "; ".join(map(str, failures))
        advice = next((failure.advice for failure in failures if failure.advice), "")
        raise UsageError(f"the collection has no seeds{f': {tried}' if tried else ''}", advice=advice or _ADVICE)
    return found


async def _find_for(words: str, store: Store, settings: Settings, ask: _Asking, failures: list[SeedError]) -> None:
    """Store what the first source finds that finds anything, unless something was found before."""
    if store.state(PART, words) is not None:
        return
    wanted = SeedsWanted(
        words=words,
        most=settings.seeds.most,
        folder=store.folder,
        feeds=_feeds(store),
        is_new=lambda url: store.page(url) is None,
    )
    for name in settings.seeds.sources:
        source: SeedSource = find_part("seeds", name)(settings=settings.seeds)
        try:
            found = list(await source.seeds(wanted, ask))
        except SeedError as error:
            failures.append(error)
            continue
        if found:
            store.put_state(PART, words, msgspec.msgpack.encode(found))
            return


def _feeds(store: Store) -> list[Url]:
    """The feeds that the collection has read, the last ones first; sitemaps are read by the crawl anyway."""
    listings = store.newest_addresses(Outcome.LISTING, 10 * _MOST_FEEDS)
    return [url for url in listings if not is_listing(url)][:_MOST_FEEDS]


class _Asking:
    """Asks for sources of seeds, as politely as a crawl.

    The search engine named in the settings may be on a private network, and its robots.txt is not meant for its owner;
    it may redirect within itself only.
    """

    def __init__(self, settings: Settings, ask: Ask) -> None:
        self._ask, self._delay = ask, settings.pace.delay
        self._engine = canonical(settings.seeds.searxng)
        self._client = Client(msgspec.structs.replace(settings.fetch, allow_private=_EVERYWHERE))
        self._engine_was_asked = False

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._client.__aexit__(None, None, None)

    async def __call__(self, url: Url) -> Answer:
        """The answer, once the site's turn has come."""
        if self._engine is None or origin_of(url) != origin_of(self._engine):
            return await self._ask(url)
        if self._engine_was_asked:
            await asyncio.sleep(self._delay)
        self._engine_was_asked = True
        return await self._client.fetch_file(url, self._stays, limit_bytes=_LARGEST_ANSWER)

    async def _stays(self, target: Url) -> str:
        assert self._engine
        return "" if origin_of(target) == origin_of(self._engine) else "redirect to another server"
