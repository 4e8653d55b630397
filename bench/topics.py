"""Do several topics in one crawl each find what they find alone? Recall at equal shares of the budget.

    python -m bench.topics FOLDER [--strategy S ...] [--topics A,B] [--pages N] [--likes N] [--unlikes N] [--json]

FOLDER has saved pages and topics, as docs/find.md says: `pages.jsonl` (`.zst`, `.gz`) and `topics.json`; every page is
served to the crawl through a proxy on this machine, one after the other, so that a run hardly depends on how fast
answers come. Each topic is crawled alone with N pages, two together with 2 N, and both with a third that can find
nothing, 3 N. A topic that shares a crawl should find at least 90 % of what it finds alone: exit status 1 if one does
not. Only two sites that are ready at once may come in another order the next time: a difference of a few pages says
little.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from haenyeo.collect.collection import Collection, Overrides
from haenyeo.collect.settings_file import write_settings
from haenyeo.html.urls import canonical
from haenyeo.model.config import FetchSettings, PaceSettings, ScopeSettings, Settings, Topic
from haenyeo.papers.frozen_web import FrozenTopic
from haenyeo.store import Store
from haenyeo.store.page_files import pages_of_lines

LEAST = 0.9  # of the recall alone
HOPELESS = "hopeless"
NOTHING = "zzyzx qwrtp vlkjh"  # words of a topic that no page has
Figures = dict[str, Any]


class SavedWeb:
    """Saved pages by address, and which of them were asked for, in order."""

    def __init__(self, folder: Path) -> None:
        pages = pages_of_lines(next(iter(sorted(folder.glob("pages.jsonl*")))))
        self.pages = {address: page.html.encode() for page in pages if (address := canonical(page.url))}
        self.topics = msgspec.json.decode((folder / "topics.json").read_bytes(), type=dict[str, FrozenTopic])
        self.asked: dict[str, None] = {}

    def answer(self, head: bytes) -> bytes:
        """What is said to a request that came through the proxy."""
        url = canonical(head.split(b" ", 2)[1].decode("latin-1"))
        body = self.pages.get(url) if url else None
        if url is None or body is None:
            return b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
        self.asked.setdefault(url)
        head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: %d\r\n\r\n"
        return head % len(body) + body


class Proxy(asyncio.Protocol):
    """Answers requests one after the other on a connection that stays open."""

    def __init__(self, web: SavedWeb) -> None:
        self._web, self._waiting = web, b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Remember whom to answer."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Answer every whole request."""
        self._waiting += data
        while b"\r\n\r\n" in self._waiting:
            head, _, self._waiting = self._waiting.partition(b"\r\n\r\n")
            self._transport.write(self._web.answer(head))


@contextmanager
def served(web: SavedWeb) -> Iterator[str]:
    """The proxy's address, from a thread of its own."""
    loop = asyncio.new_event_loop()
    server = loop.run_until_complete(loop.create_server(lambda: Proxy(web), "127.0.0.1", 0))
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    server.close()
    loop.close()


def fetched(web: SavedWeb, proxy: str, topics: dict[str, Topic], pages: int, strategy: str) -> set[str]:
    """The pages that a crawl for these topics asks for."""
    web.asked = {}
    with tempfile.TemporaryDirectory() as folder:
        Store.create(Path(folder)).close()
        settings = Settings(
            topic=topics,
            pace=PaceSettings(delay=0.0, total=1),
            scope=ScopeSettings(sitemaps=False),
            fetch=FetchSettings(browser="never"),
        )
        write_settings(Path(folder), settings)
        with Collection.open(Path(folder)) as collection:
            for _ in collection.crawl(pages=pages, overrides=Overrides(scorer=strategy, proxy=proxy, delay=0.0)):
                pass
    return set(web.asked)


def topic_of(frozen: FrozenTopic, likes: int, unlikes: int) -> Topic:
    """A topic as a user would give it."""
    return Topic(
        words=frozen.keywords,
        seeds=tuple(frozen.seed_urls),
        like=tuple(frozen.example_urls)[:likes],
        unlike=tuple(frozen.background_urls)[:unlikes],
    )


def recall(frozen: FrozenTopic, found: set[str]) -> float:
    """The share of a topic's pages that were asked for, those it was given left out."""
    given = {canonical(url) for url in (*frozen.seed_urls, *frozen.example_urls, *frozen.background_urls)}
    relevant = {canonical(url) for url in frozen.relevant_urls} - given
    return len(relevant & found) / max(1, len(relevant))


class Bench:
    """Crawls of a saved web with one strategy; a topic is crawled alone once, however many others it is paired with."""

    def __init__(self, web: SavedWeb, proxy: str, strategy: str, options: argparse.Namespace) -> None:
        self.web, self.strategy, self._proxy, self._pages = web, strategy, proxy, options.pages
        self.topics = {name: topic_of(topic, options.likes, options.unlikes) for name, topic in web.topics.items()}
        self._alone: dict[str, set[str]] = {}

    def alone(self, name: str) -> set[str]:
        """What a topic asks for that has the crawl for itself."""
        if name not in self._alone:
            self._alone[name] = self.together({name: self.topics[name]})
        return self._alone[name]

    def together(self, topics: dict[str, Topic]) -> set[str]:
        """What topics ask for that share a crawl of as many times the budget of one."""
        return fetched(self.web, self._proxy, topics, len(topics) * self._pages, self.strategy)


def compare(bench: Bench, names: Sequence[str]) -> list[Figures]:
    """The recall of two topics alone, together, and together with a hopeless one."""
    web, strategy, topics = bench.web, bench.strategy, {name: bench.topics[name] for name in names}
    seeds = tuple(itertools.chain.from_iterable(topic.seeds for topic in topics.values()))
    both, all_three = bench.together(topics), bench.together({**topics, HOPELESS: Topic(words=NOTHING, seeds=seeds)})
    rows = []
    for name in names:
        own, shared, beside = (recall(web.topics[name], found) for found in (bench.alone(name), both, all_three))
        least = LEAST * own
        rows.append(
            {
                "strategy": strategy, "topic": name, "with": " ".join(other for other in names if other != name),
                "alone": own, "together": shared, "with a hopeless one": beside,
                "holds": shared >= least and beside >= least,
            }
        )  # fmt: skip
    return rows


def options_given() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--strategy", action="append", help="repeat to compare (default: default, segment-backlinks)")
    parser.add_argument("--topics", action="append", metavar="A,B", help="pairs; default: neighbours in topics.json")
    parser.add_argument("--pages", type=int, default=200, help="budget of one topic (default: 200)")
    parser.add_argument("--likes", type=int, default=5)
    parser.add_argument("--unlikes", type=int, default=40)
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


def main() -> int:
    """Crawl, compare and print."""
    options = options_given()
    web = SavedWeb(options.folder)
    given = [pair.split(",") for pair in options.topics or ()]
    pairs = given or list(itertools.pairwise(web.topics))
    rows: list[Figures] = []
    with served(web) as proxy:
        for strategy in options.strategy or ["default", "segment-backlinks"]:
            bench = Bench(web, proxy, strategy, options)
            for names in pairs:
                rows += (new := compare(bench, names))
                for row in () if options.json else new:
                    shown = [f"{value:.3f}" if isinstance(value, float) else str(value) for value in row.values()]
                    print("  ".join(shown), flush=True)
    if options.json:
        print(json.dumps(rows, indent=1, ensure_ascii=False))
    return int(not all(row["holds"] for row in rows))


if __name__ == "__main__":
    sys.exit(main())
