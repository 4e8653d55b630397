from __future__ import annotations

import gzip
import io
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.html.mime import ContentKind, essence, kind_of

HTML = b"<!-- made by hand -->\n<!DOCTYPE html>\n<html><head><title>x</title>"


def archive() -> bytes:
    body = io.BytesIO()
    with zipfile.ZipFile(body, "w") as file:
        file.writestr("page.html", HTML)
    return body.getvalue()


@pytest.mark.parametrize(
    ("content_type", "kind"),
    [
        ("text/html; charset=utf-8", ContentKind.HTML),
        ("TEXT/HTML", ContentKind.HTML),
        ("application/xhtml+xml", ContentKind.HTML),
        ("text/plain", ContentKind.TEXT),
        ("text/markdown", ContentKind.TEXT),
        ("application/json", ContentKind.OTHER),
        ("text/css", ContentKind.OTHER),
        ("image/png", ContentKind.OTHER),
        ("application/octet-stream", ContentKind.OTHER),
        ("", ContentKind.TEXT),
        ("nonsense", ContentKind.TEXT),
    ],
)
def test_the_label_decides_over_plain_bytes(content_type: str, kind: ContentKind) -> None:
    assert kind_of(content_type, "해녀 and plain words".encode()) is kind


@pytest.mark.parametrize("content_type", ["text/html", "text/plain", "", "image/png", "text/xml"])
def test_what_plainly_is_html_is_read_as_html(content_type: str) -> None:
    assert kind_of(content_type, HTML) is ContentKind.HTML
    assert kind_of(content_type, b"\xef\xbb\xbf <html>") is ContentKind.HTML
    assert kind_of(content_type, "<html>".encode("utf-16")) is ContentKind.HTML


@pytest.mark.parametrize("content_type", ["text/html", "text/plain", "", "text/xml"])
@pytest.mark.parametrize(
    "body",
    [
        archive(),
        gzip.compress(b"x" * 100, mtime=0),
        b"%PDF-1.7 text",
        b"\x89PNG\r\n\x1a\n",
        b"\0\0\0\x20ftypisom",
        bytes(range(256)) * 4,
        b"words\0and more words" * 10,
    ],
)
def test_what_plainly_is_binary_is_never_text(content_type: str, body: bytes) -> None:
    assert kind_of(content_type, body) is ContentKind.OTHER


def test_a_stray_control_byte_does_not_spoil_a_page() -> None:
    assert kind_of("text/html", b"<p>" + b"words " * 50 + b"\0\x01" + b"words" * 50) is ContentKind.HTML
    assert kind_of("text/html", HTML + b"\x01\x02 words " * 50) is ContentKind.HTML


@pytest.mark.parametrize("content_type", ["text/xml", "application/xml; charset=utf-8", "text/html", ""])
@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b'<?xml version="1.0"?>\n<rss version="2.0">', ContentKind.FEED),
        (b"<!-- a feed --><feed xmlns='http://www.w3.org/2005/Atom'>", ContentKind.FEED),
        (b"<rdf:RDF xmlns:rdf='x'>", ContentKind.FEED),
        (b'<?xml version="1.0"?><!DOCTYPE urlset [<!ENTITY a "b">]><urlset>', ContentKind.XML),
        (b"<sitemapindex>", ContentKind.XML),
    ],
)
def test_feeds_and_sitemaps_are_told_by_their_root(content_type: str, body: bytes, kind: ContentKind) -> None:
    assert kind_of(content_type, body) is kind


def test_labels_of_feeds_and_drawings() -> None:
    assert kind_of("application/rss+xml", b"<x>") is ContentKind.FEED
    assert kind_of("image/svg+xml", b"<svg>") is ContentKind.OTHER
    assert kind_of("text/xml", b"<book>") is ContentKind.XML


def test_a_body_without_label_is_looked_at() -> None:
    assert kind_of("", b"<p>a part of a page") is ContentKind.HTML
    assert kind_of("*/*", b"<book>") is ContentKind.XML
    assert kind_of("", b"") is ContentKind.OTHER


def test_an_empty_page_is_a_page() -> None:
    assert kind_of("text/html", b"") is ContentKind.HTML


@pytest.mark.parametrize(
    ("content_type", "expected"),
    [
        ("text/html", "text/html"),
        (" Text/HTML ;charset=x", "text/html"),
        ("image/png, text/html", "text/html"),
        ("text/html; a=b, junk", "text/html"),
        ("text/html\x00", ""),
        ("text /html", ""),
        ("html", ""),
    ],
)
def test_the_essence_of_a_content_type(content_type: str, expected: str) -> None:
    assert essence(content_type) == expected


@given(st.text(), st.binary())
def test_any_answer_has_a_kind(content_type: str, body: bytes) -> None:
    assert kind_of(content_type, body) in ContentKind
    assert kind_of(content_type, b"<!--" + body) in ContentKind
