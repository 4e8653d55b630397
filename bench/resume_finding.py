"""Does a crawl that was killed halfway and taken up again find as much as an unbroken one? Recall on a saved web.

    python bench/resume_finding.py --data FOLDER [--only REGEX] [--seeds KEY] [--kills N]

FOLDER has `pages.jsonl` (or .zst, .gz) and `topics.json`, as for `haenyeo paper 000 --data`; `--seeds` names the key of
the topics' seeds. For each topic, R being the number of relevant pages, one crawl runs to 2 R pages; another is killed
with SIGKILL after R / 2 pages (with `--kills N` at N points up to R) and started again. The share of relevant pages
among the first R and 2 R different pages that were asked for is printed for both.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import re
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from statistics import fmean
from typing import Any

from aiohttp import web

from haenyeo.html.urls import canonical
from haenyeo.store.page_files import pages_of_lines

Topic = Mapping[str, Any]


class SavedWeb:
    """A proxy that answers with saved pages and knows in which order they were asked for."""

    def __init__(self, folder: Path) -> None:
        file = min(folder.glob("pages.jsonl*"))
        self.pages: dict[str, str] = {canonical(page.url) or "": page.html for page in pages_of_lines(file)}
        self.asked: dict[str, None] = {}

    async def answer(self, request: web.BaseRequest) -> web.Response:
        """The page, or 404."""
        url = canonical(str(request.url)) or ""
        if url not in self.pages:
            return web.Response(status=404)
        self.asked[url] = None
        return web.Response(text=self.pages[url], content_type="text/html", charset="utf-8")


@contextlib.asynccontextmanager
async def proxy(saved: SavedWeb) -> AsyncIterator[str]:
    """Inside, the saved web can be asked by way of this address."""
    runner = web.ServerRunner(web.Server(saved.answer))
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    server = site._server  # noqa: SLF001 - aiohttp tells the port nowhere else
    assert isinstance(server, asyncio.Server)
    yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    await runner.cleanup()


async def haenyeo(*arguments: str) -> asyncio.subprocess.Process:
    """A command under way."""
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "haenyeo", *arguments, "-q", start_new_session=True, stdin=asyncio.subprocess.DEVNULL
    )


async def crawl(saved: SavedWeb, address: str, topic: Topic, kills: list[int]) -> list[str]:
    """The addresses a crawl asked for, in order, examples left out; it is killed each time it has so many."""
    given = {canonical(url) or "" for key in ("example_urls", "background_urls") for url in topic[key]}
    relevant, saved.asked = _relevant(topic, saved), {}

    def counted() -> list[str]:
        return [url for url in saved.asked if url not in given]

    with tempfile.TemporaryDirectory() as folder:
        name = f"{folder}/collection"
        await (await haenyeo("new", name, *_options(folder, topic))).wait()
        for point in [*kills, 0]:
            left = 2 * len(relevant) - len(counted())
            process = await haenyeo(
                "crawl", name, "--pages", str(left), "--delay", "0", "--no-index", "--proxy", address
            )
            while process.returncode is None and not (point and len(counted()) >= point):
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(process.wait(), 0.02)
            if process.returncode is None:
                os.killpg(process.pid, signal.SIGKILL)
                await process.wait()
    return counted()


def _options(folder: str, topic: Topic) -> list[str]:
    options = ["--topic", topic["keywords"]]
    for flag, key in (("like", "example_urls"), ("unlike", "background_urls"), ("seed", "seeds")):
        listed = Path(folder, flag)
        listed.write_text("".join(f"{url}\n" for url in topic[key]), encoding="utf-8")
        options += [f"--{flag}", f"@{listed}"]
    return options


def _relevant(topic: Topic, saved: SavedWeb) -> set[str]:
    given = {canonical(url) for key in ("example_urls", "background_urls", "seeds") for url in topic[key]}
    addresses: set[str] = {canonical(url) or "" for url in topic["relevant_urls"]}
    return addresses & saved.pages.keys() - given


async def measure(options: argparse.Namespace) -> None:
    """Run both crawls for each topic and print."""
    saved = SavedWeb(options.data)
    topics = json.loads((options.data / "topics.json").read_text(encoding="utf-8"))
    rows: list[list[float]] = []
    print(f"{'topic':<20}{'R':>5}{'recall@R':>10}{'killed':>8}{'recall@2R':>11}{'killed':>8}")
    async with proxy(saved) as address:
        for name in filter(re.compile(options.only).search, topics):
            topic = {**topics[name], "seeds": topics[name][options.seeds]}
            relevant = _relevant(topic, saved)
            kills = [len(relevant) * (kill + 1) // (options.kills + 1) for kill in range(options.kills)]
            orders = [await crawl(saved, address, topic, points) for points in ([], kills)]
            row = [
                len(relevant & set(order[: times * len(relevant)])) / len(relevant)
                for times in (1, 2)
                for order in orders
            ]
            rows.append(row)
            print(f"{name:<20}{len(relevant):>5}" + _figures(row), flush=True)
    print(f"{'mean':<20}{'':>5}" + _figures([fmean(column) for column in zip(*rows, strict=True)]))


def _figures(row: list[float]) -> str:
    return "".join(f"{value:>{width}.3f}" for value, width in zip(row, (10, 8, 11, 8), strict=True))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--only", default="", metavar="REGEX")
    parser.add_argument("--seeds", default="seed_urls", metavar="KEY")
    parser.add_argument("--kills", type=int, default=1)
    asyncio.run(measure(parser.parse_args()))
