"""The addresses in a sitemap, a sitemap index, an RSS or Atom feed or a plain list, compressed or not.

The file is scanned for the few tags that matter instead of being parsed: a single bare `&` makes a sitemap invalid XML,
and a crawler wants the other 49,999 addresses. Scanning also needs no memory for nesting, keeps the complete entries of
a file cut short, and knows neither entities nor external documents, so there is nothing to expand or to fetch.
"""

from __future__ import annotations

import re
import sys
import zlib
from collections.abc import Iterator
from datetime import datetime
from itertools import islice

import msgspec

from haenyeo.html.charset import decode, sniff
from haenyeo.html.dates import moment
from haenyeo.html.urls import canonical, resolve
from haenyeo.model.pages import Url

MAX_BYTES = 1 << 26
"""What is read of a file after decompression; the sitemap protocol allows 50 MB."""

MAX_ENTRIES = 250_000
"""What is read of a file in entries; the sitemap protocol allows 50,000."""

_MAX_UNZIPS = 2  # servers compress a file that is compressed already
_GZIP_MAGIC = b"\x1f\x8b"
_GZIP_WINDOW = 31


class SitemapEntry(msgspec.Struct, frozen=True, kw_only=True):
    """An address a sitemap or feed names: a page, or another sitemap."""

    url: Url
    modified: datetime | None = None
    is_sitemap: bool = False


def is_listing(url: Url) -> bool:
    """Does the address look like that of a sitemap? Those are read whatever their kind and up to a larger size."""
    path = url.partition("?")[0].lower()
    return "sitemap" in path.rpartition("/")[2] and path.endswith((".xml", ".txt", ".gz"))


def entries(data: bytes, url: str) -> Iterator[SitemapEntry]:
    """The entries of a sitemap, index, feed or list that was found at `url`, one by one; never raises.

    Addresses are canonical; those that are none are passed over. At most `MAX_ENTRIES` and what stands within
    `MAX_BYTES`.
    """
    text = _as_ascii_compatible(_unzipped(data))
    found = _scanned(text, url) if text[:1024].lstrip().startswith(b"<") else _listed(text, url)
    return islice(found, MAX_ENTRIES)


def _unzipped(data: bytes) -> bytes:
    for _ in range(_MAX_UNZIPS):
        if not data.startswith(_GZIP_MAGIC):
            break
        data = _unzipped_once(data)
    return data[:MAX_BYTES]


def _unzipped_once(data: bytes) -> bytes:
    """As much as can be unpacked; a file may be cut short, or be of several parts, or have junk behind it."""
    parts = []
    room = MAX_BYTES
    while data.startswith(_GZIP_MAGIC) and room > 0:
        unzip = zlib.decompressobj(_GZIP_WINDOW)
        try:
            part = unzip.decompress(data, room)
        except zlib.error:
            break
        parts.append(part)
        room -= len(part)
        data = unzip.unused_data
    return b"".join(parts)


def _as_ascii_compatible(data: bytes) -> bytes:
    """The file as UTF-8 if it is UTF-16, else as it is, without byte order mark."""
    name = sniff(data[:64])
    if name.startswith("utf-16"):
        data = data.decode(name, "replace").encode()
    return data.removeprefix(b"\xef\xbb\xbf")


def _listed(data: bytes, url: str) -> Iterator[SitemapEntry]:
    """The entries of a list with one address a line."""
    for line in re.finditer(rb"[^\r\n]+", data):
        address = line[0].strip()
        if address.startswith((b"http://", b"https://")):
            link = _address(address.decode("utf-8", "replace"), url)
            if link:
                yield SitemapEntry(url=link)


# ---- scanning XML ----------------------------------------------------------------------------------------------

_XML_LABEL = re.compile(rb"<\?xml[^<>]{0,200}?\sencoding\s*=\s*[\"']([\w.:\-]{1,40})[\"']")
_ROOT = re.compile(rb"<([\w.\-]{1,64}:)?(?:urlset|sitemapindex|rss|feed)(?=[\s/>])", re.IGNORECASE)
_ROOT_BYTES = 1 << 16
_TAG = (
    rb"<(?:(?P<comment>!--)|(?P<cdata>!\[CDATA\[)|(?P<close>/)?%s(?:(?P<entry>url|sitemap|item|entry)"
    rb"|(?P<address>loc|link|guid)|(?P<time>lastmod|pubdate|updated|published|dc:date))"
    rb"(?P<attributes>[\s/][^<>]{0,9000})?>)(?P<text>[^<]*)"
)
_CDATA = b"<![CDATA["
_CDATA_END = b"]]>"
_COMMENT_END = b"-->"
_HREF = re.compile(rb"\shref\s*=\s*(?:\"([^\"]*)\"|'([^']*)')", re.IGNORECASE)
_REL = re.compile(rb"\srel\s*=\s*[\"']?\s*([\w\-]+)", re.IGNORECASE)


class _Pending:
    """An entry while its tags go by: the element it stands in, and the address and time seen so far, as written."""

    __slots__ = ("address", "element", "time")

    def __init__(self, element: bytes = b"") -> None:
        self.element = element
        self.address = b""
        self.time = b""


def _scanned(data: bytes, url: str) -> Iterator[SitemapEntry]:
    label = _XML_LABEL.match(data)
    content_type = f"text/xml; charset={label[1].decode() if label else 'utf-8'}"
    for pending in _pending_entries(data):
        address = pending.address
        link = _address(address.decode() if address.isascii() else decode(address, content_type), url)
        if link:
            modified = moment(pending.time.decode("ascii", "replace").strip()) if pending.time else None
            yield SitemapEntry(url=link, modified=modified, is_sitemap=pending.element == b"sitemap")


def _pending_entries(data: bytes) -> Iterator[_Pending]:
    """All entries with an address. One ends where its element ends, or another begins."""
    pending = _Pending()
    for tag, text in _tags(data):
        if tag["entry"]:
            if pending.address:
                yield pending
            pending = _Pending(b"" if tag["close"] else tag["entry"].lower())
            if pending.element in {b"sitemap", b"url"} and text.lstrip().startswith(b"http"):
                pending.address = text
        elif tag["time"]:
            pending.time = pending.time or text
        elif tag["address"].lower() == b"loc":
            if pending.address and text:
                yield pending
                pending = _Pending(pending.element)
            pending.address = text
        elif pending.element in {b"item", b"entry"}:
            pending.address = _link(tag, text, pending.address)
    if pending.address:
        yield pending


def _tags(data: bytes) -> Iterator[tuple[re.Match[bytes], bytes]]:
    """The tags that matter and the text behind each, up to the next tag.

    They must have the prefix of the root element: `image:loc` is no address of a page.
    """
    root = _ROOT.search(data, 0, _ROOT_BYTES)
    prefix = (root[1] or b"") if root else b""
    search = re.compile(_TAG.replace(b"%s", re.escape(prefix)), re.IGNORECASE).search
    position = 0
    while tag := search(data, position):
        position = tag.end()
        if tag["comment"]:
            position = _behind(_COMMENT_END, data, tag.start())
        elif tag["cdata"]:
            position = _behind(_CDATA_END, data, tag.start())
        elif tag["entry"] or not tag["close"]:
            yield tag, _whole_text(tag, data)


def _behind(end: bytes, data: bytes, start: int) -> int:
    found = data.find(end, start)
    return found + len(end) if found >= 0 else len(data)


def _whole_text(tag: re.Match[bytes], data: bytes) -> bytes:
    """The text behind a tag, CDATA unwrapped; nothing if the file ends within it."""
    start = tag.end()
    if start == len(data):
        return b""
    if not data.startswith(_CDATA, start):
        return tag["text"]
    end = data.find(_CDATA_END, start)
    # Nothing refers to entities in there, so what looks like it is kept from being read as such.
    return data[start + len(_CDATA) : end].replace(b"&", b"&amp;") if end >= 0 else b""


def _link(tag: re.Match[bytes], text: bytes, so_far: bytes) -> bytes:
    """The address of a feed's entry: Atom writes it into an attribute, RSS between the tags or, at worst, as a guid."""
    if tag["address"].lower() == b"guid":
        return so_far or (text if text.lstrip().startswith(b"http") else b"")
    attributes = tag["attributes"] or b""
    rel = _REL.search(attributes)
    if rel and rel[1].lower() != b"alternate":
        return so_far
    href = _HREF.search(attributes)
    return (href[1] or href[2] if href else text) or so_far


_REFERENCE = re.compile(r"&(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6});")
_NAMED = {"&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'"}


def _address(written: str, url: str) -> Url | None:
    if "&" in written:
        written = _REFERENCE.sub(_referred, written)
    written = written.strip()
    if written.startswith(("http://", "https://")):
        return canonical(written)
    absolute = resolve(url, written) if written else None
    return canonical(absolute) if absolute else None


def _referred(reference: re.Match[str]) -> str:
    name = reference[0]
    if name in _NAMED:
        return _NAMED[name]
    number = int(name[3:-1], 16) if name[2] in "xX" else int(name[2:-1])
    return chr(number) if number <= sys.maxunicode else "\ufffd"
