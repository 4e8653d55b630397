"""Pages for the experiment of Park, Oh & Lee 2002: of the demo web, or of a data set."""

from __future__ import annotations

import io
import json
import tarfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from haenyeo.demo import DAY, HOUR, DemoWeb
from haenyeo.html.charset import decode
from haenyeo.model.compression import zstd
from haenyeo.model.errors import UsageError
from haenyeo.papers.layout_edits import in_pattern, tokens_of

REPEATING = 110
"""Pages of the paper's experiment."""


class Pair(NamedTuple):
    """Pages before, and a page after; `kind` says what is known of them."""

    kind: str
    before: tuple[str, ...]
    after: str


class LayoutPages(NamedTuple):
    """What the experiment needs: pages to edit, pairs of an unchanged layout, pairs of a changed one.

    `without_pattern` pages were met on the way that have nothing to edit.
    """

    edited: list[str]
    stable: list[Pair]
    redesigned: list[Pair]
    without_pattern: int = 0


def pages_for(data: Path | None) -> LayoutPages:
    """The pages of the demo web, or of a data set."""
    return _data_pages(data) if data else _demo_pages(DemoWeb())


def _demo_pages(web: DemoWeb) -> LayoutPages:
    lists = web.urls("list", "front", "hub")
    edited, without = _repeating(html for url in lists if (html := _page(web, url, 0.0)))
    stable: list[Pair] = []
    redesigned: list[Pair] = []
    for site, redesigns in web.redesigns().items():
        own = [url for url in lists if urlsplit(url).hostname == f"{site}.localhost"]
        calm = (redesigns[0][0] if redesigns else 40 * DAY) - HOUR
        stable += _calm_pairs(web, own, calm)
        for at, grade in redesigns:
            redesigned += [
                Pair(grade, (before,), after)
                for url in own[:4]
                if (before := _page(web, url, at - HOUR)) and (after := _page(web, url, at + HOUR))
            ]
    return LayoutPages(edited, stable, redesigned, without)


def _repeating(pages: Iterable[str]) -> tuple[list[str], int]:
    """The first pages on which a pattern with text occurs often enough, and how many without one were met before."""
    found: list[str] = []
    without = 0
    for html in pages:
        if in_pattern(tokens_of(html)) is None:
            without += 1
        else:
            found.append(html)
        if len(found) == REPEATING:
            break
    return found, without


def _calm_pairs(web: DemoWeb, urls: list[str], until: float) -> Iterator[Pair]:
    """The same pages days apart, alone and together with another page of their list, with no redesign in between."""
    numbered = [url for url in urls if "page" in url]
    for url in urls[:4]:
        before, after = _page(web, url, 0.0), _page(web, url, until)
        if before and after:
            yield Pair("the same page later", (before,), after)
    for one, two, three in zip(numbered, numbered[1:], numbered[2:], strict=False):
        found = [_page(web, url, 0.0) for url in (one, two, three)]
        if all(found):
            yield Pair("another page of a list", (found[0],), found[2])
            yield Pair("another page of a list, two known", (found[0], found[1]), found[2])


def _page(web: DemoWeb, url: str, now: float) -> str:
    """The page at a time of the demo clock; nothing when there is none."""
    web.clock.now = now
    parts = urlsplit(url)
    reply = web.answer(parts.netloc, parts.path + (f"?{parts.query}" if parts.query else ""))
    types = [value for name, value in reply.headers if name.lower() == "content-type"]
    return decode(reply.body, types[0] if types else None) if reply.status == 200 else ""  # noqa: PLR2004 - HTTP's OK


def _data_pages(path: Path) -> LayoutPages:
    """Pages of a folder or a .tar.zst with an index.json; docs/watch.md says what is in it."""
    try:
        read = _reader(path)
        index: dict[str, Any] = json.loads(read("index.json"))
        groups = [(group["pages"][:2], new) for group in index.get("groups", ()) for new in group["pages"][2:]]
        edited, without = _repeating(decode(read(page["file"]), None) for page in index["pages"])
        return LayoutPages(
            edited,
            [Pair("one page known", (decode(read(p["a"]), None),), decode(read(p["b"]), None)) for p in index["stable"]]
            + [
                Pair("two pages known", tuple(decode(read(name), None) for name in known), decode(read(new), None))
                for known, new in groups
            ],
            [
                Pair(
                    "breaks a wrapper" if pair.get("strict") else "other",
                    (decode(read(pair["before"]), None),),
                    decode(read(pair["after"]), None),
                )
                for pair in index["redesign"]
            ],
            without,
        )
    except (KeyError, ValueError, OSError, tarfile.TarError, zstd.ZstdError) as error:
        raise UsageError(
            f"{path} is not a data set of pages: {error}", advice="see docs/watch.md for its form"
        ) from error


class _Archive:
    """The files of a .tar.zst, read once."""

    def __init__(self, path: Path) -> None:
        with tarfile.open(fileobj=io.BytesIO(zstd.decompress(path.read_bytes()))) as packed:
            self._files = {
                Path(member.name).as_posix().removeprefix("./"): file.read()
                for member in packed.getmembers()
                if (file := packed.extractfile(member))
            }

    def read(self, name: str) -> bytes:
        """A file by its name, in whatever folder the archive keeps them."""
        if name in self._files:
            return self._files[name]
        inside = [data for key, data in self._files.items() if key.endswith(f"/{name}")]
        if not inside:
            raise KeyError(name)
        return inside[0]


def _reader(path: Path) -> Any:
    if path.is_dir():
        return lambda name: (path / name).read_bytes()
    return _Archive(path).read
