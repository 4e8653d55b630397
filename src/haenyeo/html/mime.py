"""What to do with the bytes of an answer: the Content-Type says, and the first bytes confirm or correct it.

Three rules: bytes that are plainly binary are never read as text, bytes that plainly are HTML are read as HTML whatever
they are called, and otherwise the label decides.
"""

from __future__ import annotations

import codecs
import enum
import functools
import re

HEAD_BYTES = 4096
"""How much of a body `kind_of` looks at."""


class ContentKind(enum.StrEnum):
    """What an answer's body can be used for."""

    HTML = "html"  # a page
    TEXT = "text"  # plain text, worth keeping as it is
    XML = "xml"  # a sitemap or some other XML
    FEED = "feed"  # RSS or Atom
    OTHER = "other"  # nothing to read: an image, an archive, a script


_MAGIC = (
    b"PK\x03\x04", b"PK\x05\x06", b"\x1f\x8b", b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a", b"BZh91AY&SY", b"\xfd7zXZ\x00",
    b"\x28\xb5\x2f\xfd", b"%PDF-", b"%!PS-Adobe", b"{\\rtf", b"\xd0\xcf\x11\xe0", b"SQLite format 3\x00",
    b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"\x00\x00\x01\x00", b"MM\x00*", b"II*\x00",
    b"OggS", b"fLaC", b"ID3\x03", b"ID3\x04", b"\x1aE\xdf\xa3", b"wOFF", b"wOF2",
    b"\x7fELF", b"MZ\x90\x00", b"\xca\xfe\xba\xbe", b"\x00asm",
)  # fmt: skip
_TEXT_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_BINARY_BYTES = bytes([*range(0x09), 0x0B, *range(0x0E, 0x1B), *range(0x1C, 0x20)])
_TEXT_BYTES_PER_BINARY = 50  # a stray control byte in a page is common; in an archive every few bytes are one

_HTML_TYPES = frozenset({"text/html", "application/xhtml+xml", "application/vnd.wap.xhtml+xml"})
_TEXT_TYPES = frozenset({"text/plain", "text/markdown", "text/x-markdown", "text/x-rst", "text/x-web-markdown"})
_XML_TYPES = frozenset({"text/xml", "application/xml"})
_FEED_TYPES = frozenset({"application/rss+xml", "application/atom+xml", "application/rdf+xml"})
_UNKNOWN_TYPES = frozenset({"", "unknown/unknown", "application/unknown", "*/*"})

_FEED_ROOTS = frozenset({b"rss", b"feed", b"rdf"})
_SITEMAP_ROOTS = frozenset({b"urlset", b"sitemapindex"})
_OTHER_ROOTS = frozenset({b"svg"})

_NAME = r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+"
_ESSENCE = re.compile(rf"[\t\n\r ]*({_NAME}/{_NAME})[\t\n\r ]*(?:;.*)?", re.DOTALL)
# What may stand before the first element: blanks, XML declaration, comments, a document type that is not HTML's.
_PROLOG = rb"(?>[\t\n\f\r ]+|<\?.*?>|<!--.*?-->|<!DOCTYPE(?![\t\n\f\r ]+html)[^>\[]*(?:\[.*?\])?[\t\n\f\r ]*>)*+"
_ROOT = re.compile(_PROLOG + rb"<(!DOCTYPE)?[\t\n\f\r ]*(?:[\w.\-]+:)?([\w.\-]+)", re.IGNORECASE | re.DOTALL)
_HTML_ROOTS = frozenset({b"html", b"head", b"body"})
# How nearly all pages begin; what is binary begins otherwise.
_PAGE = re.compile(
    rb"(?:\xef\xbb\xbf)?[\t\n\f\r ]{0,64}(?:<\?xml[^>]{0,200}>[\t\n\f\r ]{0,64})?"
    rb"<(?:!DOCTYPE[\t\n\f\r ]+)?html[\t\n\f\r >]",
    re.IGNORECASE,
)
_HTML_PARTS = frozenset(
    b"a b br center div font h1 h2 iframe link main meta ol p script section style table title ul".split()
)


def kind_of(content_type: str, body: bytes) -> ContentKind:
    """What to do with a body whose Content-Type and bytes (the first `HEAD_BYTES` of them will do) are these.

    >>> str(kind_of("text/html", b"%PDF-1.7")), str(kind_of("", b"<!doctype html><p>Hello"))
    ('other', 'html')
    """
    return ContentKind.HTML if _PAGE.match(body) else _kind_of(content_type, body[:HEAD_BYTES])


@functools.lru_cache(maxsize=16)
def _kind_of(content_type: str, head: bytes) -> ContentKind:
    if head.startswith(_MAGIC):
        return ContentKind.OTHER
    root = _root(head)
    if root in _HTML_ROOTS:
        return ContentKind.HTML
    if _is_binary(head):
        return ContentKind.OTHER
    label = essence(content_type)
    return _unlabelled(head, root) if label in _UNKNOWN_TYPES else _labelled(label, root)


def _labelled(label: str, root: bytes) -> ContentKind:
    if label in _HTML_TYPES:
        return _xml_kind(root) if root in _FEED_ROOTS | _SITEMAP_ROOTS else ContentKind.HTML
    if label in _TEXT_TYPES:
        return ContentKind.TEXT
    if label in _FEED_TYPES:
        return ContentKind.FEED
    return _xml_kind(root) if label in _XML_TYPES or label.endswith("+xml") else ContentKind.OTHER


@functools.lru_cache(maxsize=1024)
def essence(content_type: str) -> str:
    """Type and subtype in lower case, such as `text/html`; nothing if there is none.

    Of several in one value, as proxies join repeated headers, the last that can be read counts.

    >>> essence("image/png, Text/HTML; charset=utf-8"), essence("html")
    ('text/html', '')
    """
    for part in reversed(content_type.split(",")):
        found = _ESSENCE.fullmatch(part)
        if found:
            return found[1].lower()
    return ""


def _is_binary(head: bytes) -> bool:
    if head.startswith(_TEXT_MARKS):
        return False
    if head.startswith((b"<\0", b"\0<")):
        return False
    binary = len(head) - len(head.translate(None, _BINARY_BYTES))
    return binary * _TEXT_BYTES_PER_BINARY > len(head) or (b"\0" in head and not head.lstrip().startswith(b"<"))


def _root(head: bytes) -> bytes:
    """The name of the first element, or of the type a document declares; nothing if it does not begin with markup."""
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        head = head.decode("utf-16", "ignore").encode()
    elif b"\0" in head:
        head = head.replace(b"\0", b"")
    found = _ROOT.match(head.removeprefix(codecs.BOM_UTF8))
    return found[2].lower() if found else b""


def _xml_kind(root: bytes) -> ContentKind:
    if root in _FEED_ROOTS:
        return ContentKind.FEED
    return ContentKind.OTHER if root in _OTHER_ROOTS else ContentKind.XML


def _unlabelled(head: bytes, root: bytes) -> ContentKind:
    if root in _HTML_PARTS:
        return ContentKind.HTML
    if root:
        return _xml_kind(root)
    return ContentKind.TEXT if head.strip() else ContentKind.OTHER
