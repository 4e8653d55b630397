"""Make the README's table of measures anew, from this machine.

    python -m bench.readme --peer-python ~/peers/bin/python                           print it
    python -m bench.readme --peer-python ~/peers/bin/python --pages PAGES.jsonl.gz --folds PREFIX --write

Crawling and finding are measured on the demo web. Reading needs real pages with known text (in the form of `read.py`);
without them its rows stay as they are. Peers that the interpreter does not have are left out. With --write the table
between the README's marks is replaced.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from bench import engine, extractors

from haenyeo.collect.collection import Collection, Overrides, create_collection
from haenyeo.collect.crawl.loop import Budget
from haenyeo.demo import DemoWeb, serve_in_thread
from haenyeo.model.config import FetchSettings, Topic

README = Path(__file__).parents[1] / "README.md"
TABLE = re.compile(r"(?<=<!-- measured -->\n).*?(?=<!-- end -->)", re.DOTALL)
HEAD = "| measured | Haenyeo | others |\n| --- | ---: | --- |\n"
ASKED = 300  # pages in which a topic is looked for
TOPICS = (0, 5)  # in English and in Korean
Row = tuple[str, str, str]


def crawling(python: str, rounds: int) -> list[Row]:
    """What a crawl costs."""
    figures = engine.judge(argparse.Namespace(rounds=rounds, peer_python=python, json=False))
    own = figures.pop("haenyeo")
    names = {"scrapy": "Scrapy", "bare loop": "bare loop"}
    others = ", ".join(f"{names[name]} {each['cpu ms/page']:.2f}" for name, each in figures.items())
    return [("crawl: CPU ms a page", f"{own['cpu ms/page']:.2f}", others)]


def finding() -> list[Row]:
    """How many pages of a topic are among the first that are asked for."""
    web = DemoWeb()
    with serve_in_thread(web):
        found = {name: [_relevant(web, number, name) for number in TOPICS] for name in ("default", "bfs")}
    own, plain = (" and ".join(map(str, found[name])) for name in ("default", "bfs"))
    return [(f"find: pages on two topics in {ASKED} each", own, f"breadth first {plain}")]


def _relevant(web: DemoWeb, number: int, scorer: str) -> int:
    topic = web.topics()[number]
    settings = Topic(words=topic.words, like=topic.like, unlike=topic.unlike, seeds=topic.seeds)
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(1) as thread:
        place = Path(folder) / "found"
        create_collection(place, settings, fetch=FetchSettings(allow_private=("127.0.0.0/8",)))
        thread.submit(lambda: asyncio.run(_crawl(place, scorer))).result()
        with Collection.open(place, writing=False) as collection:
            return sum(str(page.url) in topic.relevant for page in collection.store.pages(kept_only=False))


async def _crawl(place: Path, scorer: str) -> None:
    overrides = Overrides(delay=0.0, scorer=scorer)
    async with Collection.open(place) as collection, collection.crawling(overrides) as crawl:
        await crawl.run(Budget(pages=ASKED))


def reading(pages: Path, python: str, folds: Path | None) -> list[Row]:
    """How well texts are taken, and what that costs."""
    figures = extractors.measure(pages, python, folds)
    own = figures.pop("Haenyeo")

    def row(words: str, column: str, digits: str) -> Row:
        others = ", ".join(f"{name} {format(each[column], digits)}" for name, each in figures.items())
        return words, format(own[column], digits), others

    return [
        row("read: F, pages of real sites", "sites", ".3f"),
        row("read: F, single real pages", "single pages", ".3f"),
        row("read: CPU ms a page", "ms a page", ".1f"),
    ]


def rows_in(text: str, kind: str) -> list[Row]:
    """The rows of a kind that the README has now."""
    found = TABLE.search(text)
    lines = found[0].splitlines() if found else []
    cells = [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in lines if line.startswith(f"| {kind}")]
    return [(words, own, others) for words, own, others in cells]


def main() -> None:
    """Measure, then print or write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer-python", default="", help="interpreter that has the peers")
    parser.add_argument("--pages", type=Path, help="real pages with known text, as read.py takes them")
    parser.add_argument("--folds", type=Path, help="prefix of the forests that train_reader.py --folds has written")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--write", action="store_true", help="replace the table in README.md")
    options = parser.parse_args()
    text = README.read_text(encoding="utf-8")
    rows = crawling(options.peer_python, options.rounds) + finding()
    rows += reading(options.pages, options.peer_python, options.folds) if options.pages else rows_in(text, "read")
    table = HEAD + "".join(f"| {words} | {own} | {others} |\n" for words, own, others in rows)
    print(table, end="")
    if options.write:
        README.write_text(TABLE.sub(lambda _: table, text), encoding="utf-8")


if __name__ == "__main__":
    main()
