"""What the demo web's servers answer: status, headers and body for a request at a time."""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping
from email.utils import format_datetime, parsedate_to_datetime
from html import escape
from typing import NamedTuple

import xxhash

from haenyeo.demo.chance import number
from haenyeo.demo.clock import EPOCH, moment
from haenyeo.demo.pages import feeds
from haenyeo.demo.pages.document import render
from haenyeo.demo.pages.dress import Dress, make_dress
from haenyeo.demo.pages.shell import Shell, list_of_links, make_shell, shell_key
from haenyeo.demo.truth import place_at, session_of
from haenyeo.demo.world.content import Passage
from haenyeo.demo.world.site import Gone, Redirect, Site, SitePlace
from haenyeo.demo.world.versions import frame, last_change, version, view
from haenyeo.demo.world.views import SESSION, View
from haenyeo.demo.world.world import World

_HTML, _XML = "text/html; charset=utf-8", "application/xml; charset=utf-8"
_SITEMAP_PART = re.compile(r"/sitemap-(\d{1,4})\.xml\.gz")
_OUT = re.compile(r"/out/([a-z]+)/(\d{1,6})")
_PICTURE = re.compile(r"/img/([\w-]+)\.svg", re.ASCII)
_RETRY_SECONDS = 3600
_GZIP_WINDOW = 31
_NOT_FOUND = {
    "en": ("Page not found", "Sorry, there is nothing at this address. Perhaps it was moved or never existed."),
    "ko": (
        "페이지를 찾을 수 없습니다",
        "죄송합니다. 이 주소에는 아무것도 없습니다. 옮겨졌거나 처음부터 없던 주소입니다.",
    ),
}
_GONE = {
    "en": ("Page removed", "This page was taken away for good."),
    "ko": ("지워진 글입니다", "이 글은 완전히 지워졌습니다."),
}


class Reply(NamedTuple):
    """An answer; status 0 means that the connection is dropped without one."""

    status: int
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""


class _Rendered(NamedTuple):
    """A page in one version, ready to be sent."""

    key: object
    body: bytes
    packed: bytes
    etag: str


class Answers:
    """Answers requests for all sites of a world; keeps the last rendering of every page."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._pages: dict[tuple[str, str], _Rendered] = {}
        self._dresses: dict[tuple[str, int], Dress] = {}
        self._shells: dict[tuple[str, int], tuple[object, Shell]] = {}

    def answer(self, host: str, target: str, headers: Mapping[str, str], now: float) -> Reply:
        """The answer to a GET of `target` (path and query) at a host; `headers` have lower-case names."""
        name = host.partition(":")[0].lower()
        site = self._world.sites.get(name.removesuffix(".localhost"))
        if site is None:
            return self._doorway(name)
        down = site.outage(now)
        if down == "dropped":
            return Reply(0)
        if down:
            return Reply(
                503, (("Retry-After", str(_RETRY_SECONDS)), ("Content-Type", "text/plain")), b"Down for maintenance.\n"
            )
        return self._machine_file(site, target, now) or self._page(site, target, headers, now)

    def _doorway(self, name: str) -> Reply:
        """The list of all sites, for a visitor who asks for the bare address."""
        if name not in {"127.0.0.1", "localhost"}:
            return Reply(404, (("Content-Type", "text/plain"),), b"No such site.\n")
        fronts = list_of_links(self._world.fronts())
        head = "<!doctype html><html lang=en><meta charset=utf-8><title>The demo web</title>"
        return _reply(_HTML, f"{head}<h1>The demo web</h1>{fronts}</html>")

    # ---- files for machines ----------------------------------------------------------------------------------------

    def _machine_file(self, site: Site, target: str, now: float) -> Reply | None:
        path = target.partition("?")[0]
        if path == "/robots.txt":
            return _reply("text/plain; charset=utf-8", feeds.robots(self._world, site))
        if path == "/feed.xml" and (site.spec.has("rss") or site.spec.has("atom")):
            return _reply(_XML, feeds.feed(self._world, site, now))
        if path == "/sitemap.xml" and (site.spec.has("sitemap") or site.spec.has("sitemap-index")):
            return _reply(_XML, feeds.sitemap(self._world, site, now))
        return self._numbered_file(site, path, now)

    def _numbered_file(self, site: Site, path: str, now: float) -> Reply | None:
        if found := _PICTURE.fullmatch(path):
            return _reply("image/svg+xml", feeds.picture(self._world.seed, found[1]))
        if site.spec.has("sitemap-index") and (found := _SITEMAP_PART.fullmatch(path)):
            part = feeds.sitemap_part(self._world, site, int(found[1]), now)
            return Reply(200, (("Content-Type", "application/gzip"),), part) if part else None
        if site.spec.kind == "hub" and (found := _OUT.fullmatch(path)):
            return self._out(found[1], int(found[2]))
        return None

    def _out(self, host: str, place: int) -> Reply | None:
        target = self._world.sites.get(host)
        if target is None or place >= target.spec.items:
            return None
        return _redirect(302, self._world.url(target.items[place]))

    # ---- pages -----------------------------------------------------------------------------------------------------

    def _page(self, site: Site, target: str, headers: Mapping[str, str], now: float) -> Reply:
        found = place_at(site, target, now)
        if isinstance(found, Redirect):
            return _redirect(found.status, self._world.origin(site.spec.host) + found.path)
        if isinstance(found, Gone):
            return self._apology(site, 410, _GONE[site.spec.language], now)
        if found is None:
            status = 200 if site.spec.has("soft404") else 404
            return self._apology(site, status, _NOT_FOUND[site.spec.language], now)
        return self._conditional(site, found, headers, now)

    def _conditional(self, site: Site, place: SitePlace, headers: Mapping[str, str], now: float) -> Reply:
        rendered = self._rendered(site, place, now)
        sent = [("Content-Type", "text/html" if site.spec.charset != "utf-8" else _HTML)]
        unchanged = False
        if site.spec.validators in {"modified", "both"}:
            modified = last_change(site, place, now)
            sent.append(("Last-Modified", format_datetime(moment(modified), usegmt=True)))
            unchanged = modified <= _seconds(headers.get("if-modified-since", ""))
        if site.spec.validators in {"etag", "both"}:
            sent.append(("ETag", rendered.etag))
            if "if-none-match" in headers:
                unchanged = rendered.etag.removeprefix("W/") in headers["if-none-match"]
        if unchanged:
            return Reply(304, tuple(sent[1:]))
        if site.spec.has("gzip"):
            sent.append(("Vary", "Accept-Encoding"))
            if "gzip" in headers.get("accept-encoding", ""):
                sent.append(("Content-Encoding", "gzip"))
                return Reply(200, tuple(sent), rendered.packed or self._packed(site, place, rendered))
        return Reply(200, tuple(sent), rendered.body)

    def _packed(self, site: Site, place: SitePlace, rendered: _Rendered) -> bytes:
        packed = _gzip(rendered.body)
        self._pages[site.spec.host, place.path] = rendered._replace(packed=packed)
        return packed

    def _rendered(self, site: Site, place: SitePlace, now: float) -> _Rendered:
        said = version(site, place, now), site.layout(now)
        key = said, shell_key(site, now), frame(site, place, now), self._world.port
        known = self._pages.get((site.spec.host, place.path))
        if known and known.key == key:
            return known
        html = self._html(site, view(self._world, site, place, now), now)
        body = html.encode("cp949" if site.spec.charset == "euc-kr" else "utf-8", "xmlcharrefreplace")
        # Some servers hash the bytes they send, noise included; others know when the content changed.
        tag = xxhash.xxh64_intdigest(body) if site.spec.validators == "etag" else number(place.path, said)
        etag = f'"{tag:016x}"' if site.spec.validators == "etag" else f'W/"{tag:016x}"'
        rendered = _Rendered(key, body, b"", etag)
        if len(self._pages) >= _PAGES_KEPT:
            self._pages.clear()
        self._pages[site.spec.host, place.path] = rendered
        return rendered

    def _html(self, site: Site, shown: View, now: float) -> str:
        dress, shell = self._around(site, now)
        html = render(self._world, site, shown, dress, shell)
        if site.spec.has("session"):
            return html.replace(SESSION, session_of(self._world, site, shown.place.path))
        return html

    def _around(self, site: Site, now: float) -> tuple[Dress, Shell]:
        layout = site.layout(now)
        dress = self._dresses.get((site.spec.host, layout))
        if dress is None:
            dress = self._dresses[site.spec.host, layout] = make_dress(self._world.seed, site.spec, layout)
        key = shell_key(site, now), self._world.port
        known = self._shells.get((site.spec.host, layout))
        if known is None or known[0] != key:
            known = self._shells[site.spec.host, layout] = key, make_shell(self._world, site, dress, now)
        return dress, known[1]

    def _apology(self, site: Site, status: int, words: tuple[str, str], now: float) -> Reply:
        shown = View(place=SitePlace("missing", "/"), title=words[0], passages=(Passage("p", escape(words[1])),))
        body = self._html(site, shown, now).encode(
            "cp949" if site.spec.charset == "euc-kr" else "utf-8", "xmlcharrefreplace"
        )
        return Reply(status, (("Content-Type", "text/html" if site.spec.charset != "utf-8" else _HTML),), body)


_PAGES_KEPT = 8000


def _reply(content_type: str, text: str) -> Reply:
    return Reply(200, (("Content-Type", content_type),), text.encode())


def _redirect(status: int, address: str) -> Reply:
    return Reply(
        status,
        (("Location", address), ("Content-Type", "text/html; charset=utf-8")),
        b"<p>This page is elsewhere.</p>\n",
    )


def _gzip(body: bytes) -> bytes:
    packer = zlib.compressobj(1, zlib.DEFLATED, _GZIP_WINDOW)
    return packer.compress(body) + packer.flush()


def _seconds(date: str) -> float:
    """A date of a header as seconds of the demo clock; long ago when it cannot be read."""
    try:
        return (parsedate_to_datetime(date) - EPOCH).total_seconds()
    except (TypeError, ValueError):
        return float("-inf")
