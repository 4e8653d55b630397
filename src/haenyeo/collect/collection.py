"""A collection: a folder with settings, database and archive, opened for work."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

import msgspec

from haenyeo.collect.links.scope import Scope
from haenyeo.collect.settings_file import FILE_NAME, read_settings, topic_name, write_settings
from haenyeo.collect.verbs import Verbs
from haenyeo.html.urls import canonical, host_of
from haenyeo.model.config import FetchSettings, ScopeSettings, SeedSettings, Settings, Topic, check_language
from haenyeo.model.errors import CollectionError, UsageError
from haenyeo.model.pages import Url
from haenyeo.model.parts import Backlinks
from haenyeo.model.visits import Outcome
from haenyeo.store import Store, StoredPage
from haenyeo.store.shards.opening import open_store

if TYPE_CHECKING:
    from haenyeo.collect.crawl.loop import Crawl
    from haenyeo.collect.crawl.run import CrawlRun
    from haenyeo.collect.importing.importer import Imported
    from haenyeo.collect.visit.clock import Clock

EXAMPLES = "examples"


class Overrides(msgspec.Struct, frozen=True, kw_only=True):
    """Settings that hold for one crawl only; None leaves what `haenyeo.toml` says.

    `backlinks` knows links that lead to example pages, for scorers that learn from them.
    """

    scorer: str | None = None
    delay: float | None = None
    proxy: str | None = None
    backlinks: Backlinks | None = None

    def applied_to(self, settings: Settings) -> Settings:
        """The settings for this crawl."""
        replace = msgspec.structs.replace
        if self.scorer is not None:
            settings = replace(settings, strategy=replace(settings.strategy, scorer=self.scorer))
        if self.delay is not None:
            settings = replace(settings, pace=replace(settings.pace, delay=self.delay))
        if self.proxy is not None:
            settings = replace(settings, fetch=replace(settings.fetch, proxy=self.proxy))
        return settings


class Collection(Verbs):
    """Everything one collection holds.

        async with Collection.open("corals") as corals:
            async for page in corals.crawl(pages=1000):
                print(page.relevance, page.url)

    In scripts and notebooks plain `with` and `for` do the same.
    """

    def __init__(self, folder: Path, settings: Settings, store: Store) -> None:
        self.folder, self.settings, self.store = folder, settings, store

    @classmethod
    def open(cls, folder: Path | str, *, writing: bool = True) -> Self:
        """Open the collection in this folder; while it is open for writing no other process can do so."""
        folder = Path(folder)
        settings = read_settings(folder)
        return cls(folder, settings, open_store(folder, writing=writing))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Commit what is pending and let go of the folder."""
        self.store.close()

    def pages(self) -> Iterator[StoredPage]:
        """The pages that were kept, in the order they were found."""
        return self.store.pages(kept_only=True)

    def add(self, urls: Sequence[str]) -> int:
        """Add seeds, to be asked for by the next crawl; returns how many are new, or had failed and are asked again."""
        from haenyeo.collect.crawl.seeding.starts import put_starts

        _check_seeds(urls, Scope(self.settings.scope))
        seeds = [address for url in urls if (address := canonical(url))]
        known = {url for url in seeds if self.store.page(url) is not None}
        self.store.reopen((), known)
        again = {url for url in known if (page := self.store.page(url)) is not None and page.fetched_at is None}
        new = put_starts(self.folder, seeds)
        self.store.flush()
        return len({*new} - known | again)

    def add_indexed(self, index: Path) -> int:
        """Add the addresses of a Common Crawl index as seeds; returns how many are new."""
        from haenyeo.collect.crawl.seeding.starts import put_starts
        from haenyeo.collect.importing.cc_index import indexed_addresses

        return len(put_starts(self.folder, list(dict.fromkeys(indexed_addresses(index)))))

    def import_(
        self, files: Sequence[Path | str], *, base: str = "", told: Callable[[int, int], None] = lambda _, __: None
    ) -> Imported:
        """Take in what others have collected: WARC, WACZ, JSON lines, folders of saved pages; nothing is asked for.

        `base` is the address of a folder whose pages do not say their own. `told` hears of bytes read, and all of them.
        """
        from haenyeo.collect.plain_calls import finished

        return finished(self.import_async(files, base=base, told=told))

    async def import_async(
        self, files: Sequence[Path | str], *, base: str = "", told: Callable[[int, int], None] = lambda _, __: None
    ) -> Imported:
        """The same, to be awaited."""
        from haenyeo.collect.importing.importer import take_in_files

        return await take_in_files(self.store, self.settings, [Path(file) for file in files], told, base=base)

    def outside(self, urls: Sequence[str]) -> list[Url]:
        """Those of some addresses that lie outside the collection's scope."""
        from haenyeo.collect.links.scope import Scope

        scope = Scope(self.settings.scope)
        return [address for url in urls if (address := canonical(url)) and not scope.holds(address)]

    def retry(self) -> int:
        """Let the next crawl ask again for what failed, was refused, or is a seed or example that was not there.

        Returns for how many addresses. Each robots.txt is read anew, too.
        """
        from haenyeo.collect.crawl.seeding.starts import added_starts, given_examples, given_starts

        topics = self.settings.topic.values()
        named = dict.fromkeys([*given_starts(topics), *given_examples(topics), *added_starts(self.folder)])
        reopened = self.store.reopen((Outcome.FAILED, Outcome.REFUSED, Outcome.ERROR), named)
        self.store.forget_states("robots")
        self.store.flush()
        return reopened

    def crawl(
        self, *, pages: int | None = None, minutes: float | None = None, overrides: Overrides | None = None
    ) -> CrawlRun:
        """Crawl and iterate over the pages as they are kept, with `async for` or, in scripts and notebooks, `for`."""
        from haenyeo.collect.crawl.loop import Budget
        from haenyeo.collect.crawl.run import CrawlRun

        budget = Budget(pages=pages, seconds=None if minutes is None else minutes * 60)
        return CrawlRun(lambda: self.crawling(overrides), self.store, budget)

    @asynccontextmanager
    async def crawling(self, overrides: Overrides | None = None, clock: Clock | None = None) -> AsyncIterator[Crawl]:
        """A crawl ready to run, its connections open until the end of the block; visits are noted by the `clock`."""
        from haenyeo.collect.crawl.assembly import RunContext, crawl_of
        from haenyeo.collect.visit.clock import Clock

        overrides = overrides or Overrides()
        given = RunContext(clock=clock or Clock(), backlinks=overrides.backlinks)
        async with crawl_of(self.store, overrides.applied_to(self.settings), given) as crawl:
            yield crawl


def create_collection(
    folder: Path,
    topic: Topic,
    *,
    hosts: Sequence[str] = (),
    languages: Sequence[str] = (),
    fetch: FetchSettings | None = None,
    seeds: SeedSettings | None = None,
) -> None:
    """Make a new collection; saved pages among the examples are copied into it.

    Of `fetch`, contact and allowed networks are written into its settings, of `seeds` the search engine.
    """
    if (folder / FILE_NAME).exists():
        raise CollectionError(
            f"there is a collection at {folder} already", advice=f"go on with: haenyeo crawl {folder}"
        )
    for language in languages:
        check_language(language)
    scope = ScopeSettings(hosts=tuple(hosts), languages=tuple(languages))
    _check_seeds(topic.seeds, Scope(scope))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        kept = {field: _kept_examples(folder, getattr(topic, field)) for field in ("like", "unlike")}
        topic = msgspec.structs.replace(topic, **kept)
        Store.create(folder).close()
        # Last, since a folder with settings is a collection: one that was cut off before can simply be made again.
        settings = Settings(
            topic={topic_name(topic.words): topic},
            seeds=seeds or SeedSettings(),
            scope=scope,
            fetch=fetch or FetchSettings(),
        )
        write_settings(folder, settings)
    except OSError as error:
        raise CollectionError(
            f"cannot make {folder}: {error.strerror or error}", advice="choose another place"
        ) from error


def _check_seeds(seeds: Sequence[str], scope: Scope) -> None:
    for seed in seeds:
        url = canonical(seed)
        if url is None:
            raise UsageError(
                f"{seed!r} is not an http or https address", advice="give seeds as https://example.org/page"
            )
        if not scope.holds(url):
            raise UsageError(
                f"the seed {seed} is on none of the hosts that the crawl is to stay on",
                advice=f"name its host too: --host {host_of(url)!r}, or in hosts of [scope] in {FILE_NAME}",
            )


def _kept_examples(folder: Path, examples: Sequence[str]) -> tuple[str, ...]:
    """The examples with every saved page copied into the collection, so that the folder stays complete."""
    result = []
    for example in examples:
        if canonical(example) is not None:
            result.append(example)
            continue
        saved = Path(example)
        if not saved.is_file():
            raise UsageError(
                f"{example!r} is neither an address nor a saved page", advice="check the spelling or the path"
            )
        (folder / EXAMPLES).mkdir(exist_ok=True)
        copied = folder / EXAMPLES / f"{len(list((folder / EXAMPLES).iterdir())):03}-{saved.name}"
        shutil.copyfile(saved, copied)
        result.append(str(copied.relative_to(folder)))
    return tuple(result)
