"""What an agent may change where its user allows it: verdicts, seeds, and crawls within a budget."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import msgspec

from haenyeo.collect.adapters.correcting.judging import judge
from haenyeo.collect.collection import Collection
from haenyeo.collect.settings_file import read_settings
from haenyeo.html.urls import meant_by
from haenyeo.mcp.bounds import short
from haenyeo.model.errors import UsageError
from haenyeo.store.shards.opening import open_store

MOST_PAGES = 500
MOST_MINUTES = 10.0


class Orders:
    """Carries out changes of the collection in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def judge(self, url: str, relevant: bool, topic: str = "") -> dict[str, Any]:  # noqa: FBT001 - as agents give it
        """Tell the collection whether a page is on its topic."""
        addresses = meant_by(url)
        if not addresses:
            raise UsageError(f"{short(url)!r} is not an http or https address")
        with open_store(self._folder, writing=False) as store:
            address = next((known for known in addresses if store.page(known) is not None), addresses[-1])
        done = judge(self._folder, read_settings(self._folder), address, relevant=relevant, topic=topic)
        told: dict[str, Any] = msgspec.to_builtins(done)
        return told

    def add(self, urls: list[str]) -> dict[str, Any]:
        """Add seeds, to be asked for by the next crawl."""
        with Collection.open(self._folder) as opened:
            return {"added": opened.add(urls), "outside": opened.outside(urls)}

    async def crawl(self, pages: int = 50, minutes: float = 2.0) -> dict[str, Any]:
        """Find and keep more pages: at most so many, for at most so many minutes."""
        pages, minutes = max(1, min(pages, MOST_PAGES)), max(0.1, min(minutes, MOST_MINUTES))
        arguments = ("crawl", str(self._folder), "--pages", str(pages), "--minutes", str(minutes), "--json", "-q")
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "haenyeo", *arguments),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        out, wrong = await process.communicate()
        if process.returncode:
            raise UsageError(short(wrong.decode("utf-8", "replace").strip() or "the crawl failed"))
        told: dict[str, Any] = msgspec.json.decode(out.strip().splitlines()[-1])
        return told
