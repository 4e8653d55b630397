"""What storing costs: CPU a page to save, time a link to read back, time to rebuild the frontier's columns at start.

Usage:
    python bench/store.py                              pages made up here
    python bench/store.py --pages PAGES.jsonl.zst      real ones: a JSON object with "url" and "html" a line
    python bench/store.py --rebuild 5000000 --json
"""

from __future__ import annotations

import argparse
import gc
import io
import json
import random
import re
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

import zstandard

from haenyeo.html.urls import url_hash
from haenyeo.model.pages import Document, Url
from haenyeo.model.visits import Answer, Hop, Outcome
from haenyeo.store import NewLink, PageRecord, Store

SYLLABLES = re.findall("..", "anbecodeerfagohiisjokalimunoorpaesitunwayoze") + list("해녀바다물질")
VOCABULARY = ["".join(random.Random(n).choices(SYLLABLES, k=1 + n % 4)) for n in range(2000)]
LINKS, NEW_LINKS, SITES = 50, 10, 500
AT = datetime(2025, 1, 1, tzinfo=UTC)


def made_up_pages(source: random.Random) -> Iterator[tuple[Url, str]]:
    """Addresses and about 20 KB of HTML each, without end."""
    number = 0
    while True:
        items = "".join(
            f'<li class="item"><a href="/pages/{source.randrange(10**6)}.html">{words(source, 5)}</a></li>\n'
            for _ in range(LINKS)
        )
        text = "".join(f'<p class="text">{words(source, 60)}</p>\n' for _ in range(32))
        yield (
            Url(f"https://site{number % SITES}.example.org/pages/{number}.html"),
            f"<!doctype html><html><head><title>{words(source, 6)}</title></head><body>{items}{text}</body></html>",
        )
        number += 1


def stored_pages(path: Path) -> Iterator[tuple[Url, str]]:
    """The pages of a file, one JSON object a line."""
    with path.open("rb") as file, zstandard.ZstdDecompressor().stream_reader(file) as data:
        for line in io.TextIOWrapper(data, encoding="utf-8"):
            page = json.loads(line)
            yield Url(page["url"]), page["html"]


def words(source: random.Random, count: int) -> str:
    """Words that compress about as well as a language."""
    return " ".join(source.choices(VOCABULARY, k=count))


def records(pages: Iterator[tuple[Url, str]], source: random.Random) -> Iterator[PageRecord]:
    """What a crawl would store for these pages."""
    for number, (url, html) in enumerate(pages):
        body = html.encode()
        links = [link(number * NEW_LINKS + index, source) for index in range(NEW_LINKS)]
        yield PageRecord(
            answer=answer(url, body),
            site=f"site{number % SITES}.example.org",
            at=AT,
            depth=number % 7,
            ref=number,
            document=Document(url=url, title=words(source, 6), text=words(source, 700), language="en"),
            simhash=source.getrandbits(64),
            relevance={"topic": source.random()},
            kept=number % 3 == 0,
            targets=[url_hash(new.url) for new in links] + [source.getrandbits(64) for _ in range(LINKS - NEW_LINKS)],
            links=links,
        )


def link(number: int, source: random.Random) -> NewLink:
    """A new link with its words."""
    return NewLink(
        url=Url(f"https://site{number % SITES}.example.org/pages/{number}.html"),
        site=f"site{number % SITES}.example.org",
        score=source.random(),
        anchor=words(source, 4),
        before=words(source, 10),
        after=words(source, 10),
    )


def answer(url: Url, body: bytes) -> Answer:
    """A plain answer of one hop."""
    headers = (
        ("Content-Type", "text/html; charset=utf-8"),
        ("Content-Length", str(len(body))),
        ("Server", "nginx"),
        ("Date", "Wed, 01 Jan 2025 00:00:00 GMT"),
        ("Cache-Control", "max-age=600"),
        ("ETag", '"5f3a-19c"'),
    )
    asked = (("Host", "site.example.org"), ("User-Agent", "haenyeo (+https://example.org)"), ("Accept", "text/html"))
    hop = Hop(
        url=url, status=200, reason="OK", headers=headers, body=body, request_headers=asked, address="192.0.2.1", at=AT
    )
    return Answer(
        url=url, final_url=url, outcome=Outcome.PAGE, status=200, content_type="text/html", body=body, hops=(hop,)
    )


def cpu_ms(work: Callable[[], None]) -> float:
    """CPU milliseconds of this process, system time included."""
    gc.collect()
    began = resource.getrusage(resource.RUSAGE_SELF)
    work()
    ended = resource.getrusage(resource.RUSAGE_SELF)
    return 1000 * (ended.ru_utime - began.ru_utime + ended.ru_stime - began.ru_stime)


def measure_saving(folder: Path, prepared: list[PageRecord], group: int) -> dict[str, float]:
    """CPU a page of saving with a commit every `group` pages, and of reading links back."""
    with Store.create(folder) as store:

        def save() -> None:
            for number, record in enumerate(prepared, 1):
                store.save(record)
                if number % group == 0:
                    store.flush()

        saving = cpu_ms(save)
        refs = random.Random(1).sample(range(len(prepared) * NEW_LINKS), min(5000, len(prepared) * NEW_LINKS))
        reading = cpu_ms(lambda: read_links(store, refs))
        closing = cpu_ms(store.close)
    archive = sum(file.stat().st_size for file in folder.glob("archive/*"))
    return {
        "pages": len(prepared),
        "kb_a_page": round(sum(len(record.answer.body) for record in prepared) / len(prepared) / 1000, 1),
        "ms_a_page": round((saving + closing) / len(prepared), 4),
        "us_a_link_read": round(1000 * reading / len(refs), 1),
        "db_kb_a_page": round((folder / "haenyeo.db").stat().st_size / len(prepared) / 1000, 2),
        "warc_kb_a_page": round(archive / len(prepared) / 1000, 2),
    }


def read_links(store: Store, refs: list[int]) -> None:
    """Read links one by one, as a crawl takes them."""
    for ref in refs:
        store.links([ref + 1])


def measure_rebuild(folder: Path, links: int) -> dict[str, float]:
    """Seconds to read every link's columns after a restart."""
    source = random.Random(2)
    with Store.create(folder) as store:
        for first in range(0, links, NEW_LINKS):
            store.add_seeds([link(first + index, source) for index in range(NEW_LINKS)])
            if first % 10_000 == 0:
                store.flush()
    began = time.perf_counter()
    with Store.open(folder, writing=True) as store:
        waiting = sum(len(batch) for batch in store.waiting())
    return {
        "links": waiting,
        "rebuild_s": round(time.perf_counter() - began, 2),
        "peak_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=Path, help="JSON lines, zstd, with url and html")
    parser.add_argument("--count", type=int, default=3000)
    parser.add_argument("--group", type=int, default=32, help="pages a commit")
    parser.add_argument("--rebuild", type=int, default=200_000, help="links to rebuild from; 0 leaves it out")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    source = random.Random(0)
    pages = stored_pages(options.pages) if options.pages else made_up_pages(source)
    prepared = list(islice(records(pages, source), options.count))
    with tempfile.TemporaryDirectory() as scratch:
        figures = measure_saving(Path(scratch, "saving"), prepared, options.group)
        if options.rebuild:
            del prepared
            figures |= measure_rebuild(Path(scratch, "rebuild"), options.rebuild)
    print(json.dumps(figures) if options.json else "\n".join(f"{name:16} {value}" for name, value in figures.items()))


if __name__ == "__main__":
    main()
