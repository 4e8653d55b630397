"""The least a crawler can do: aiohttp, lexbor, JSON lines.   python bare_loop.py START OUT PAGES PROXY"""

# mypy: ignore-errors
from __future__ import annotations

import asyncio
import json
import sys
from urllib.parse import urljoin

import aiohttp
import uvloop
from selectolax.lexbor import LexborHTMLParser

WORKERS = 32


async def crawl(start, out, pages, proxy):
    """Fetch everything that can be reached, up to so many pages."""
    seen, queue, count = {start}, asyncio.Queue(), 0
    queue.put_nowait(start)

    async def work(session):
        nonlocal count
        while True:
            url = await queue.get()
            if count < pages:
                try:
                    async with session.get(url, proxy=proxy) as response:
                        body = await response.read()
                except aiohttp.ClientError:
                    queue.task_done()
                    continue
                if response.status == 200 and "html" in response.headers.get("Content-Type", ""):
                    count += 1
                    tree = LexborHTMLParser(body.decode(response.charset or "utf-8", "replace"))
                    title = tree.css_first("title")
                    text = tree.body.text() if tree.body else ""
                    record = {"url": url, "title": title.text() if title else "", "text": text}
                    out.write(json.dumps(record, ensure_ascii=False) + "\n")
                    for link in tree.css("a[href]"):
                        target = urljoin(url, link.attributes["href"] or "").partition("#")[0]
                        if target.startswith("http") and target not in seen:
                            seen.add(target)
                            queue.put_nowait(target)
            queue.task_done()

    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=WORKERS)) as session:
        workers = [asyncio.create_task(work(session)) for _ in range(WORKERS)]
        await queue.join()
        for worker in workers:
            worker.cancel()


with open(sys.argv[2], "w", encoding="utf-8") as file:
    uvloop.run(crawl(sys.argv[1], file, int(sys.argv[3]), sys.argv[4]))
