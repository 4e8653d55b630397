"""Where links lead: the addresses of a whole page at once, most of them without a parser's help."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import unquote

from haenyeo.html.blocks import FoundLink
from haenyeo.html.charset import UTF8, query_written
from haenyeo.html.urls import MAX_LENGTH, host_of, origin_of, resolve, tidied
from haenyeo.model.pages import Outlink, Url

_ASCII_BLANKS = " \t\n\r\f"
# Written as the URL standard's parser would leave them; a host that ends in a number may be an address in disguise.
_PATH = r"/[A-Za-z0-9._~!$%&()*+,;=:@/\-]*+(?:\?[A-Za-z0-9._~!$%&()*+,;=:@/?\-]*+)?+"
_PLAIN_ADDRESS = re.compile(rf"https?://(?:[a-z0-9]+\.)*[a-z]+{_PATH}")
_PLAIN_PATH = re.compile(rf"(?!//){_PATH}")
_DOTS = re.compile(r"(?:^|/)(?:\.|%2[eE])")  # at the beginning of a step: it may mean "here" or "up"
_PLAIN_NAME = re.compile(r"[A-Za-z0-9_~!$%&*+,@\-][A-Za-z0-9._~!$%&*+,@/\-]*")

_PICTURES = "avif bmp gif heic ico jpeg jpg png svg tif tiff webp"
_SOUNDS_AND_FILMS = "aac flac m4a mp3 oga ogg opus wav avi flv m4v mkv mov mp4 mpeg mpg ogv webm wmv"
_ARCHIVES_AND_FONTS = "7z apk deb dmg iso jar msi rar rpm tar tgz whl zip css eot otf ttf woff woff2"
_WITHOUT_TEXT = frozenset(f"{_PICTURES} {_SOUNDS_AND_FILMS} {_ARCHIVES_AND_FONTS}".split())
_LONGEST_ENDING = 6


class Resolver:
    """Resolves the links of one page; it remembers what was asked, because links repeat.

    The page was written in the charset of the `codec`, and so are the queries of its links.
    """

    def __init__(self, base: Url, codec: str = UTF8) -> None:
        self._base, self._codec = base, codec
        self._folder = tidied(Url(base[: base.partition("?")[0].rfind("/") + 1]))
        self._origin = origin_of(self._folder)
        self._known: dict[str, Url | None] = {}

    @property
    def start(self) -> tuple[str, str, Callable[[str], Url | None]]:
        """The base's origin and folder, and the function for addresses that need more than these."""
        return self._origin, self._folder, self.look_at

    def resolved(self, href: str) -> Url | None:
        """The http(s) page that a link leads to, or None; a link to a place in the page itself leads nowhere."""
        if href not in self._known:
            self._known[href] = self.look_at(href)
        return self._known[href]

    def look_at(self, href: str) -> Url | None:
        """The same as `resolved`, without remembering the answer."""
        url = self.literal(href)
        return tidied(url) if url else None

    def literal(self, href: str) -> Url | None:
        """The same as browsers show it, with all that can never change the page."""
        address, hash_sign, _ = href.strip(_ASCII_BLANKS).partition("#")
        if (hash_sign and not address) or len(address) > MAX_LENGTH:
            return None
        if not _DOTS.search(address):
            if _PLAIN_ADDRESS.fullmatch(address):
                return Url(address)
            if _PLAIN_PATH.fullmatch(address):
                return Url(self._origin + address)
            if _PLAIN_NAME.fullmatch(address):
                return Url(self._folder + address)
        if self._codec != UTF8:
            address = query_written(address, self._codec)
        absolute = resolve(self._base, address + hash_sign)  # a blank before the sign belongs to the address
        return Url(absolute.partition("#")[0]) if absolute else None


def outlinks(links: list[FoundLink], base: Url, codec: str = UTF8) -> tuple[Outlink, ...]:
    """The links that lead to http(s) pages; those without text have a label instead."""
    resolved = Resolver(base, codec).resolved
    found = []
    for link in links:
        url = resolved(link.href)
        if url is not None:
            rel = " ".join(link.rel.lower().split()) if link.rel else ""
            label = "" if link.block >= 0 else " ".join((link.alt or link.title or "").split())
            found.append(Outlink(url, rel, link.block, link.start, link.end, label))
    return tuple(found)


def leads_aside(page: Url, url: Url) -> bool:
    """Whether a link on a page leads to no other page: to a file without text, or to what is done with this one."""
    return is_handed(page, url) if "?" in url else names_file_without_text(url)


def names_file_without_text(url: str) -> bool:
    """Whether an address ends as those of pictures, sounds, films, archives and fonts do.

    Wikis have pages about pictures, whose names have a colon: `/wiki/File:Reef.jpg`.

    >>> [names_file_without_text(f"https://a.example/{name}") for name in ("reef.JPG", "File:Reef.jpg", "reef?.jpg")]
    [True, False, False]
    """
    ending = url[-_LONGEST_ENDING:].rpartition(".")[2]
    if ending.lower() not in _WITHOUT_TEXT or "?" in url:
        return False
    name = url.rpartition("/")[2]
    return ":" not in name and "%3a" not in name.lower() and url.count("/") > 2  # noqa: PLR2004 - those of the scheme


def is_handed(page: Url, url: str) -> bool:
    """Whether a link hands its own page's address to another site, as buttons that share, save or translate it do.

    >>> is_handed(Url("https://a.example/reef/"), "https://b.example/share?url=https%3A%2F%2Fa.example%2Freef")
    True
    """
    _, asked, query = url.partition("?")
    host = host_of(page)
    if not asked or host not in query or host_of(url) == host:
        return False
    own = unquote(page.partition("://")[2].partition("#")[0]).rstrip("/")
    return f"//{own}" in unquote(unquote(query))
