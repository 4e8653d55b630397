"""A web that stands still, crawled without a network: the demo web, or a folder of saved pages with topics.

Such a folder has `pages.jsonl` (or `.jsonl.zst`, `.jsonl.gz`), one {"url", "html"} a line, and `topics.json`: a name
for each topic, with `keywords`, `seed_urls`, `example_urls`, `background_urls` and `relevant_urls`.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from haenyeo.demo import DemoWeb
from haenyeo.html.parse import parse_html, parse_page
from haenyeo.html.surroundings import all_surroundings
from haenyeo.html.urls import canonical
from haenyeo.model.errors import MarkupError, UsageError
from haenyeo.model.pages import Link, Markup, Url
from haenyeo.model.parts import LinkedPage, TopicScorer
from haenyeo.store.page_files import pages_of_lines

_FOUND = 200


class FrozenTopic(msgspec.Struct, frozen=True, kw_only=True):
    """What a crawler is given and what it should find."""

    keywords: str
    seed_urls: Sequence[str] = ()
    example_urls: Sequence[str] = ()
    background_urls: Sequence[str] = ()
    relevant_urls: Sequence[str] = ()


class FrozenWeb:
    """Pages by address, parsed when they are first asked for."""

    def __init__(self, markup: Callable[[Url], Markup | None], topics: Mapping[str, FrozenTopic]) -> None:
        self.topics = topics
        self._markup = markup
        self._pages: dict[Url, LinkedPage | None] = {}
        self._numbers: dict[Url, int] = {}
        self._addresses: list[Url] = []

    def page(self, url: Url, depth: int = 0) -> LinkedPage | None:
        """The page at an address with its links; None if there is none."""
        if url not in self._pages:
            self._pages[url] = self._read(url)
        page = self._pages[url]
        return msgspec.structs.replace(page, depth=depth) if page else None

    def crawl(self, scorer: TopicScorer | None, topic: FrozenTopic, pages: int) -> list[LinkedPage]:
        """The first pages a crawler with this scorer fetches; without one breadth first. Examples do not count."""
        crawl = _Crawl(self, scorer)
        crawl.teach(_addresses(topic.example_urls), relevant=True)
        crawl.teach(_addresses(topic.background_urls), relevant=False)
        crawl.start(_addresses(topic.seed_urls))
        while len(crawl.fetched) < pages and crawl.step():
            pass
        return crawl.fetched

    def backlinks(self, topics: Iterable[FrozenTopic], pages: int) -> Callable[[Url], Sequence[Link]]:
        """Knows the links to a page, as a search engine would, of so many pages from the topics' seeds on."""
        found: dict[Url, list[Link]] = {}
        start = FrozenTopic(keywords="", seed_urls=[url for topic in topics for url in topic.seed_urls])
        for page in self.crawl(None, start, pages):
            for link in page.links:
                found.setdefault(link.url, []).append(link)
        return lambda url: found.get(url, ())

    def number(self, url: Url) -> int:
        """The number a page is known by."""
        if url not in self._numbers:
            self._numbers[url] = len(self._addresses)
            self._addresses.append(url)
        return self._numbers[url]

    def address(self, number: int) -> Url:
        """The address of the page known by a number."""
        return self._addresses[number]

    def _read(self, url: Url) -> LinkedPage | None:
        markup = self._markup(url)
        if markup is None:
            return None
        links = [link for link in all_surroundings(markup) if link.url != url]
        return LinkedPage(
            key=self.number(url),
            url=url,
            title=markup.title,
            text=markup.text,
            links=links,
            targets=[self.number(link.url) for link in links],
        )


class _Crawl:
    """Best first, the earlier found first among equals; a better link to a waiting page moves it forward."""

    def __init__(self, web: FrozenWeb, scorer: TopicScorer | None) -> None:
        self._web, self._scorer = web, scorer
        self._waiting: list[tuple[float, int, int, Url]] = []
        self._done: set[Url] = set()
        self._found: dict[int, tuple[Url, int]] = {}
        self.fetched: list[LinkedPage] = []

    def teach(self, urls: Sequence[Url], *, relevant: bool) -> None:
        for url in urls:
            page = self._web.page(url)
            if page and self._scorer:
                self._done.add(url)
                self._push(page.links, self._scorer.example(page, relevant=relevant), 1)

    def start(self, urls: Sequence[Url]) -> None:
        self._push([Link(url=url) for url in urls], [2.0] * len(urls), 0)

    def step(self) -> bool:
        """Fetch the best page that waits; whether there was one."""
        while self._waiting:
            _, _, depth, url = heapq.heappop(self._waiting)
            page = None if url in self._done else self._web.page(url, depth)
            self._done.add(url)
            if page:
                self.fetched.append(page)
                scores = self._scorer.visit(page).scores if self._scorer else [1 / (2 + depth)] * len(page.links)
                self._push(page.links, scores, depth + 1)
                self._reorder()
                return True
        return False

    def _push(self, links: Sequence[Link], scores: Sequence[float], depth: int) -> None:
        for link, score in zip(links, scores, strict=True):
            if score >= 0 and link.url not in self._done:
                number = self._web.number(link.url)
                self._found.setdefault(number, (link.url, depth))
                heapq.heappush(self._waiting, (-score, len(self._found), depth, link.url))

    def _reorder(self) -> None:
        keys, scores = self._scorer.revise() if self._scorer else ((), ())
        for key, score in zip(keys, scores, strict=True):
            url, depth = self._found.get(key, (None, 0))
            if url is not None and url not in self._done:
                heapq.heappush(self._waiting, (-score, key, depth, url))


def frozen_web(data: Path | None) -> FrozenWeb:
    """The web in a folder; the demo web if none is given."""
    return _demo_web() if data is None else _saved_web(data)


def _addresses(urls: Sequence[str]) -> list[Url]:
    return [address for url in urls if (address := canonical(url))]


def _demo_web() -> FrozenWeb:
    demo = DemoWeb()

    def markup(url: Url) -> Markup | None:
        parts = urlsplit(url)
        target = parts.path + (f"?{parts.query}" if parts.query else "")
        reply = demo.answer(parts.netloc, target)
        if reply.status != _FOUND:
            return None
        try:
            return parse_page(reply.body, url, "text/html")
        except MarkupError:
            return None

    topics = {
        topic.name: FrozenTopic(
            keywords=topic.words,
            seed_urls=topic.like[:1],
            example_urls=topic.like[1:],
            background_urls=topic.unlike,
            relevant_urls=sorted(topic.relevant),
        )
        for topic in demo.topics()
    }
    return FrozenWeb(markup, topics)


def _saved_web(folder: Path) -> FrozenWeb:
    files = sorted(folder.glob("pages.jsonl*"))
    listed = folder / "topics.json"
    if not files or not listed.is_file():
        raise UsageError(f"{folder} has no pages.jsonl and topics.json", advice="see docs/find.md for their form")
    pages = {address: page.html for page in pages_of_lines(files[0]) if (address := canonical(page.url))}

    def markup(url: Url) -> Markup | None:
        try:
            return parse_html(pages[url], url) if url in pages else None
        except MarkupError:
            return None

    return FrozenWeb(markup, _topics(listed))


def _topics(path: Path) -> dict[str, FrozenTopic]:
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, FrozenTopic])
    except msgspec.DecodeError as error:
        raise UsageError(f"{path} has no topics: {error}", advice="see docs/find.md for their form") from error
