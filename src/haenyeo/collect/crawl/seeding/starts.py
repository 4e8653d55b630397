"""Where a crawl starts: the seeds of its topics or the pages they like, or else what sources of seeds find."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Self

import msgspec

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


def given_examples(topics: Iterable[Topic]) -> list[Url]:
    """The pages that topics like or do not like, those that have an address on the web."""
    return [address for topic in topics for example in (*topic.like, *topic.unlike) if (address := canonical(example))]


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


def known_starts(store: Store, settings: Settings) -> list[Url]:
    """The seeds that sources have found before for the topics without seeds or pages to like."""
    topics = [topic for topic in settings.topic.values() if topic.words and not given_starts([topic])]
    known = (store.state(PART, topic.words) for topic in topics)
    return [Url(address) for found in known if found is not None for address in _addresses.decode(found)]


async def starts(store: Store, settings: Settings, ask: Ask) -> list[Url]:
    """Where to start; sources are asked once, by `ask`, for a topic that has neither seeds nor pages to like.

    Raises `UsageError` that says what was tried if there is nothing to start from and no link waits.
    """
    found = [*given_starts(settings.topic.values()), *added_starts(store.folder)]
    without = [topic for topic in settings.topic.values() if topic.words and not given_starts([topic])]
    failures: list[SeedError] = []
    if without:
        async with _Asking(settings, ask) as asking:
            for topic in without:
                found += await _found_for(topic.words, store, settings, asking, failures)
    if not found and not any(len(batch) for batch in store.waiting()):
        tried = "; ".join(map(str, failures))
        advice = next((failure.advice for failure in failures if failure.advice), "")
        raise UsageError(f"the collection has no seeds{f': {tried}' if tried else ''}", advice=advice or _ADVICE)
    return list(dict.fromkeys(found))


async def _found_for(
    words: str, store: Store, settings: Settings, ask: _Asking, failures: list[SeedError]
) -> list[Url]:
    """What the first source finds that finds anything, or what was found before."""
    known = store.state(PART, words)
    if known is not None:
        return [Url(address) for address in _addresses.decode(known)]
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
            return found
    return []


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
