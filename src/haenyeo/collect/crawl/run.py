"""A crawl as something to iterate over: `async for page in collection.crawl()`, or plain `for` in scripts."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager
from queue import SimpleQueue

from haenyeo.collect.crawl.loop import Budget, Crawl
from haenyeo.collect.events import Event, PageVisited
from haenyeo.model.pages import Page
from haenyeo.store import Store

AHEAD = 100  # pages that wait for a slow reader before the crawl hands over no more
NAP = 0.01  # seconds between two looks at whether the reader has caught up

Start = Callable[[], AbstractAsyncContextManager[Crawl]]


class CrawlRun:
    """The pages of a crawl as they are kept; leaving the loop early stops the crawl and keeps what was fetched."""

    def __init__(self, start: Start, store: Store, budget: Budget) -> None:
        self._start, self._store, self._budget = start, store, budget

    async def __aiter__(self) -> AsyncIterator[Page]:
        kept: asyncio.Queue[PageVisited | None] = asyncio.Queue()

        def note(event: Event) -> None:
            if isinstance(event, PageVisited) and event.kept:
                kept.put_nowait(event)

        async with self._start() as crawl:
            crawl.events.listen(note)
            running = asyncio.create_task(crawl.run(self._budget))
            running.add_done_callback(lambda _: kept.put_nowait(None))
            try:
                while (visited := await kept.get()) is not None:
                    yield self._page(visited)
            finally:
                crawl.stop()
                await running

    def __iter__(self) -> Iterator[Page]:
        """The same from a thread of its own: a script has no event loop, a notebook has one that is taken."""
        pages: SimpleQueue[Page | None] = SimpleQueue()
        left = threading.Event()
        with ThreadPoolExecutor(1, "haenyeo crawl") as thread:
            crawled = thread.submit(asyncio.run, self._fill(pages, left))
            crawled.add_done_callback(lambda _: pages.put(None))
            try:
                while (page := pages.get()) is not None:
                    yield page
            finally:
                left.set()
            crawled.result()

    async def _fill(self, pages: SimpleQueue[Page | None], left: threading.Event) -> None:
        async for page in self:
            pages.put(page)
            while pages.qsize() > AHEAD and not left.is_set():  # noqa: ASYNC110 - the reader is another thread
                await asyncio.sleep(NAP)
            if left.is_set():
                break

    def _page(self, visited: PageVisited) -> Page:
        stored = self._store.page(visited.url)
        assert stored is not None, visited.url
        return Page(
            url=stored.url,
            title=stored.title,
            text=stored.text,
            language=stored.language,
            site=stored.site,
            depth=stored.depth,
            relevance=visited.relevance,
        )
