from __future__ import annotations

import gzip
from datetime import UTC, datetime
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.html.sitemaps import MAX_BYTES, MAX_ENTRIES, entries

HERE = "http://h.example/sitemap.xml"
SITEMAP = """<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
  <url><loc>http://h.example/1</loc><lastmod>2024-05-09</lastmod></url>
  <!-- <url><loc>http://h.example/hidden</loc></url> -->
  <url>
    <image:image><image:loc>http://h.example/picture.png</image:loc></image:image>
    <loc> http://h.example/2?a=1&amp;b=&#x32; </loc>
  </url>
  <url><loc><![CDATA[http://h.example/3?a=1&b=2]]></loc></url>
  <url><loc>/바다</loc></url>
</urlset>"""
PAGES = [
    "http://h.example/1",
    "http://h.example/2?a=1&b=2",
    "http://h.example/3?a=1&b=2",
    "http://h.example/%EB%B0%94%EB%8B%A4",
]


def addresses(data: bytes, url: str) -> list[str]:
    return [entry.url for entry in entries(data, url)]


def test_a_sitemap_names_its_pages() -> None:
    assert addresses(SITEMAP.encode(), HERE) == PAGES


@pytest.mark.parametrize("charset", ["utf-16", "utf-16-le", "utf-16-be", "utf-8-sig"])
def test_the_charset_of_a_sitemap_is_seen(charset: str) -> None:
    assert addresses(SITEMAP.encode(charset), HERE) == PAGES


def test_a_declared_charset_counts() -> None:
    assert addresses(SITEMAP.replace("UTF-8", "EUC-KR").encode("cp949"), HERE) == PAGES


def test_a_compressed_sitemap_is_unpacked() -> None:
    packed = gzip.compress(SITEMAP.encode())
    assert addresses(packed, HERE) == PAGES
    assert addresses(gzip.compress(packed), HERE) == PAGES
    assert addresses(packed + b"junk", HERE) == PAGES
    half = len(SITEMAP) // 2
    in_two_parts = gzip.compress(SITEMAP[:half].encode()) + gzip.compress(SITEMAP[half:].encode())
    assert addresses(in_two_parts, HERE) == PAGES


def test_the_complete_entries_of_a_cut_sitemap_are_used() -> None:
    whole = SITEMAP.encode()
    assert addresses(whole[: whole.index(b"</urlset>")], HERE) == PAGES
    assert addresses(whole[: whole.index(b"/2?a=1&amp;")], HERE) == PAGES[:1]
    assert addresses(whole[: whole.index(b"?a=1&b=2]]")], HERE) == PAGES[:2]


def test_a_cut_compressed_sitemap_gives_what_can_be_unpacked() -> None:
    packed = gzip.compress(SITEMAP.encode())
    assert addresses(packed[: len(packed) - 12], HERE)[:1] == PAGES[:1]
    assert addresses(packed[:5], HERE) == []


@pytest.mark.parametrize(
    ("start", "end"),
    [
        ("<urlset>", "</urlset>"),
        ('<urlset xmlns="http://wrong.example/">', "</urlset>"),
        ("<URLSET>", "</URLSET>"),
        ("<!DOCTYPE urlset>\n<urlset>", ""),
    ],
)
def test_wrong_or_missing_namespaces_do_not_matter(start: str, end: str) -> None:
    body = f"{start}<url><loc>http://h.example/1</loc></url>{end}"
    assert addresses(body.encode(), HERE) == PAGES[:1]


def test_a_sitemap_may_have_a_prefix_of_its_own() -> None:
    body = b"<s:urlset xmlns:s='x'><s:url><s:loc>http://h.example/1</s:loc><i:loc>http://h.example/2</i:loc></s:url>"
    assert addresses(body, HERE) == PAGES[:1]


def test_a_bare_ampersand_costs_nothing() -> None:
    body = b"<urlset><url><loc>http://h.example/2?a=1&b=2</loc></url><url><loc>http://h.example/1</loc></url></urlset>"
    assert addresses(body, HERE) == [PAGES[1], PAGES[0]]


def test_only_references_of_xml_are_read() -> None:
    body = b"<url><loc>http://h.example/?a=1&copy=2&amp;lt;=3&#99999999;</loc></url>"
    assert addresses(body, HERE) == ["http://h.example/?a=1&copy=2&lt;=3"]


def test_an_index_names_sitemaps() -> None:
    body = b"""<sitemapindex><sitemap><loc>http://h.example/a.xml</loc><lastmod>2024-05-09T08:30:00Z</lastmod></sitemap>
    <sitemap>http://h.example/b.xml</sitemap></sitemapindex>"""
    first, second = entries(body, HERE)
    assert (first.url, first.is_sitemap) == ("http://h.example/a.xml", True)
    assert first.modified == datetime(2024, 5, 9, 8, 30, tzinfo=UTC)
    assert (second.url, second.is_sitemap, second.modified) == ("http://h.example/b.xml", True, None)


def test_a_feed_names_its_items() -> None:
    body = b"""<rss><channel><link>http://h.example/</link><atom:link href="http://h.example/feed"/>
    <item><title>One</title><link>http://h.example/1</link><guid>http://h.example/?p=1</guid>
      <pubDate>Thu, 09 May 2024 08:30:00 +0900</pubDate></item>
    <item><guid isPermaLink="true">http://h.example/2</guid></item>
    <item><guid isPermaLink="false">tag:h.example,2024:3</guid><link><![CDATA[http://h.example/3]]></link></item>
    </channel></rss>"""
    found = list(entries(body, HERE))
    assert [entry.url for entry in found] == ["http://h.example/1", "http://h.example/2", "http://h.example/3"]
    assert found[0].modified == datetime(2024, 5, 8, 23, 30, tzinfo=UTC)


def test_an_atom_feed_names_its_entries() -> None:
    body = b"""<feed xmlns="http://www.w3.org/2005/Atom"><link href="http://h.example/"/><updated>2024-01-01</updated>
    <entry><link rel="edit" href="/edit"/><link rel='alternate' href='/1'/><link rel="enclosure" href="/1.mp3"/>
      <updated>2024-05-09</updated></entry>
    <entry><link href="http://h.example/2?a=1&amp;b=2"/></entry></feed>"""
    found = list(entries(body, HERE))
    assert [entry.url for entry in found] == PAGES[:2]
    assert found[0].modified == datetime(2024, 5, 9, tzinfo=UTC)


def test_a_list_names_a_page_a_line() -> None:
    body = (
        b"\xef\xbb\xbfhttp://h.example/1\r\n\r\n# note\nftp://h.example/\n  http://h.example/2?b=2&a=1\nnot an address"
    )
    assert addresses(body, HERE) == PAGES[:2]


def test_what_is_no_web_address_is_passed_over() -> None:
    body = b"<urlset><url><loc>javascript:x</loc></url><url><loc></loc></url><url/><url><loc>http://h.example/1</loc></url>"
    assert addresses(body, HERE) == PAGES[:1]


def test_entities_are_neither_expanded_nor_fetched() -> None:
    body = b"""<!DOCTYPE urlset SYSTEM "http://10.0.0.1/x.dtd" [<!ENTITY a "aaaaaaaa"><!ENTITY b SYSTEM "file:///etc/passwd">]>
    <urlset><url><loc>http://h.example/&a;&b;</loc></url></urlset>"""
    assert addresses(body, HERE) == ["http://h.example/&a;&b;"]


def test_depth_costs_nothing() -> None:
    body = b"<urlset>" + b"<url>" * 100_000 + b"<loc>http://h.example/1</loc>" + b"</url>" * 100_000
    assert addresses(body, HERE) == PAGES[:1]


@pytest.mark.parametrize("unit", [b"<!--", b"<![CDATA[", b"<loc ", b"<loc><![CDATA[", b"<?xml "])
def test_unfinished_tags_are_read_in_one_pass(unit: bytes) -> None:
    assert addresses(unit * 100_000, HERE) == []


def test_entries_come_one_by_one() -> None:
    body = b"<urlset>" + b"<url><loc>http://h.example/1</loc></url>" * 300_000
    assert [entry.url for entry in islice(entries(body, HERE), 2)] == PAGES[:1] * 2


@pytest.mark.slow
def test_the_number_of_entries_is_bounded() -> None:
    body = b"http://h.example/1\n" * (MAX_ENTRIES + 10)
    assert sum(1 for _ in entries(body, HERE)) == MAX_ENTRIES


@pytest.mark.slow
def test_a_bomb_is_unpacked_no_further_than_allowed() -> None:
    bomb = gzip.compress(b"http://h.example/1\n" + b" " * (2 * MAX_BYTES), compresslevel=1)
    assert addresses(bomb, HERE) == PAGES[:1]


tags = st.sampled_from(["<urlset>", "<url>", "</url>", "<loc>", "</loc>", "<item>", "<link ", "<lastmod>"])
marks = st.sampled_from(["href='", "'/>", "<!--", "-->", "<![CDATA[", "]]>", "&amp;", "&#0;", " ", "2024", "해"])
words = st.sampled_from(["http://h.example/", "\x1f\x8b", "<?xml encoding='", "'?>"])


@given(st.lists(st.one_of(tags, marks, words), max_size=30).map("".join))
def test_any_tags_can_be_scanned(text: str) -> None:
    assert all(url.startswith("http") for url in addresses(text.encode(), HERE))


@given(st.binary(), st.sampled_from([b"", b"<", b"\x1f\x8b", b"\xff\xfe", gzip.compress(b"x")[:11]]))
def test_any_bytes_can_be_read(data: bytes, start: bytes) -> None:
    assert all(url.startswith("http") for url in addresses(start + data, HERE))
