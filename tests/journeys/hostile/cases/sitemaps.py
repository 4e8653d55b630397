"""Sitemaps that are cut, coded, endless or dangerous; the crawl starts from the host's sitemap."""

from __future__ import annotations

import codecs
import gzip
import re
from collections.abc import Iterable, Iterator

from hostile.answers import head, page, stream
from hostile.bombs import gzip_bomb
from hostile.crawl import Result
from hostile.pages import article
from hostile.server import Handler, Request, Wire
from hostile.stage import Cases, Expected, Stage

case = Cases()

XML = "Content-Type: application/xml"
SCHEMA = "http://www.sitemaps.org/schemas/sitemap/0.9"
OPEN = f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{SCHEMA}">\n'
CLOSE = "</urlset>\n"


def _entries(addresses: Iterable[str]) -> str:
    return "".join(f"<url><loc>{address}</loc><lastmod>2024-05-01</lastmod></url>\n" for address in addresses)


def _controls(stage: Stage) -> str:
    return _entries(map(stage.url, ("/control-1", "/x", "/control-2")))


def _start_from(stage: Stage, sitemap: Handler, path: str = "/sitemap.xml") -> None:
    stage.seed = path
    stage.host.on(path, sitemap)
    stage.host.on("/control-1", page(article("First control page")))
    stage.x(page(article("Page named by the sitemap")))


def _reads_from(stage: Stage, data: str | bytes, path: str = "/sitemap.xml", kind: str = XML) -> Expected:
    _start_from(stage, page(data, kind), path)
    return Expected(read=("/x",))


@case("sm-plain")
def sm_plain(stage: Stage) -> Expected:
    """A plain sitemap: a control."""
    return _reads_from(stage, OPEN + _controls(stage) + CLOSE)


@case("sm-robots")
def sm_robots(stage: Stage) -> Expected:
    """A plain sitemap that only robots.txt names."""
    _start_from(stage, page(OPEN + _controls(stage) + CLOSE, XML), "/named-sitemap.xml")
    stage.seed = "/"
    stage.host.on("/", page(article("Start page without links")))
    stage.host.on("/robots.txt", page(f"Sitemap: {stage.url('/named-sitemap.xml')}\n", "Content-Type: text/plain"))
    return Expected(read=("/x",))


@case("sm-gz")
def sm_gz(stage: Stage) -> Expected:
    """A packed sitemap: a control."""
    packed = gzip.compress((OPEN + _controls(stage) + CLOSE).encode())
    return _reads_from(stage, packed, "/sitemap.xml.gz", "Content-Type: application/gzip")


@case("sm-text")
def sm_text(stage: Stage) -> Expected:
    """One address a line: a control."""
    lines = "\r\n".join(map(stage.url, ("/control-1", "/x", "/control-2")))
    return _reads_from(stage, f"\ufeff{lines}\n", "/sitemap.txt", "Content-Type: text/plain")


@case("sm-entities")
def sm_entities(stage: Stage) -> Expected:
    """Addresses in CDATA, with entities, with blanks around them, and with a prefix on every element."""
    ways = (f"<![CDATA[{stage.url('/control-1')}]]>", f"\n  {stage.url('/x')}\n ", stage.url("/control-2?a=1&amp;b=2"))
    sitemap = re.sub(r"<(/?)(url|loc|lastmod)", r"<\1s:\2", OPEN + _entries(ways) + CLOSE).replace("xmlns=", "xmlns:s=")
    _start_from(stage, page(sitemap, XML))
    return Expected(controls=1, read=("/x", "/control-2?a=1&b=2"))


@case("sm-offsite")
def sm_offsite(stage: Stage) -> Expected:
    """A sitemap names pages and sitemaps of a host outside the scope."""
    other = stage.another_host()
    other.on("*", page(article("Page of a host outside the scope")))
    index = f"<sitemap><loc>{other.url('/sitemap.xml')}</loc></sitemap>"
    _start_from(stage, page(OPEN + _controls(stage) + _entries([other.url("/outside")]) + index + CLOSE, XML))

    def check(_: Result) -> None:
        assert not other.asked("/outside"), "a page outside the scope was asked for"

    return Expected(read=("/x",), check=check)


@case("sm-truncated")
def sm_truncated(stage: Stage) -> Expected:
    """Cut in the middle of an entry."""
    return _reads_from(stage, OPEN + _controls(stage) + _entries([stage.url("/cut")])[:30])


@case("sm-utf16")
def sm_utf16(stage: Stage) -> Expected:
    """UTF-16 with a byte order mark."""
    sitemap = (OPEN.replace("UTF-8", "UTF-16") + _controls(stage) + CLOSE).encode("utf-16-le")
    return _reads_from(stage, codecs.BOM_UTF16_LE + sitemap)


@case("sm-million")
def sm_million(stage: Stage) -> Expected:
    """50 MB with 600,000 addresses, a good page first."""
    stage.pages = 30

    def parts() -> Iterator[bytes]:
        yield head(XML, "Connection: close") + (OPEN + _controls(stage)).encode()
        for block in range(600):
            paths = (f"/many/{block}/{number}" for number in range(1_000))
            yield _entries(map(stage.url, paths)).encode()
        yield CLOSE.encode()

    async def one_of_many(wire: Wire, request: Request) -> None:
        await page(article(f"Page {request.path}"))(wire, request)

    _start_from(stage, stream(parts))
    stage.host.on("/many/*", one_of_many)
    return Expected(controls=1, memory_mb=1_000)


@case("sm-index-endless")
def sm_index_endless(stage: Stage) -> Expected:
    """An index that names an index that names an index, for ever."""

    async def index(wire: Wire, request: Request) -> None:
        number = int(request.path.removesuffix(".xml").rpartition("-")[2])
        inner = "".join(
            f"<sitemap><loc>{stage.url(f'/sitemap-{number + step}.xml')}</loc></sitemap>" for step in (1, 2)
        )
        await page(f'<sitemapindex xmlns="{SCHEMA}">{inner}</sitemapindex>', XML)(wire, request)

    _start_from(stage, index, "/sitemap-0.xml")
    stage.host.on("/sitemap-*", index)
    return Expected(controls=0, at_most={"/sitemap-*": 60})


@case("sm-index-self")
def sm_index_self(stage: Stage) -> Expected:
    """An index that names itself, and a plain sitemap."""
    inner = "".join(f"<sitemap><loc>{stage.url(path)}</loc></sitemap>" for path in ("/sitemap.xml", "/plain.xml"))
    _start_from(stage, page(f'<sitemapindex xmlns="{SCHEMA}">{inner}</sitemapindex>', XML))
    stage.host.on("/plain.xml", page(OPEN + _controls(stage) + CLOSE, XML))
    return Expected(read=("/x",), at_most={"/sitemap.xml": 3})


@case("sm-deep")
def sm_deep(stage: Stage) -> Expected:
    """200,000 nested elements."""
    _start_from(stage, page(OPEN + "<url>" * 200_000 + _controls(stage), XML))
    return Expected(controls=0, memory_mb=500)


@case("sm-xxe-http")
def sm_xxe_http(stage: Stage) -> Expected:
    """An external DTD and an external entity at an internal address."""
    stage.open_scope()
    address = stage.internal().url("/evil.dtd")
    kind = f'<!DOCTYPE urlset SYSTEM "{address}" [<!ENTITY more SYSTEM "{address}">]>\n<urlset'
    _start_from(stage, page((OPEN + _controls(stage) + "&more;" + CLOSE).replace("<urlset", kind), XML))
    return Expected(controls=0)


@case("sm-billion-laughs")
def sm_billion_laughs(stage: Stage) -> Expected:
    """Entities that grow tenfold nine times."""
    entities = "".join(f'<!ENTITY a{level} "{f"&a{level - 1};" * 10}">' for level in range(1, 10))
    kind = f'<!DOCTYPE urlset [<!ENTITY a0 "ha">{entities}]>\n<urlset'
    sitemap = (OPEN + _controls(stage) + _entries(["&a9;"]) + CLOSE).replace("<urlset", kind)
    _start_from(stage, page(sitemap, XML))
    return Expected(controls=0, memory_mb=400)


@case("sm-gz-bomb")
def sm_gz_bomb(stage: Stage) -> Expected:
    """A packed sitemap that unpacks to 1 GB."""
    _start_from(stage, page(gzip_bomb(), "Content-Type: application/gzip"), "/sitemap.xml.gz")
    return Expected(controls=0, memory_mb=500)
