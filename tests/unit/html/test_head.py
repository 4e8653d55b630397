from __future__ import annotations

import pytest

from haenyeo.html.parse import parse_html
from haenyeo.model.pages import Markup, Url

PAGE = Url("http://reef.test/shore/page")


def parse(html: str) -> Markup:
    return parse_html(html, PAGE)


def test_the_first_title_counts_and_none_of_a_drawing() -> None:
    html = "<svg><title>Icon</title></svg><title> Divers &amp;\n reefs </title><title>Second</title>"
    assert parse(html).title == "Divers & reefs"


def test_a_title_is_no_text_of_the_page() -> None:
    assert parse("<title>Divers</title><body><title>Reef</title>text").text == "text"


@pytest.mark.parametrize(
    ("html", "language"), [("<html lang=' ko '>", "ko"), ("<html xml:lang=en-GB>", "en-GB"), ("", "")]
)
def test_the_language_is_the_one_declared(html: str, language: str) -> None:
    assert parse(html).language == language


def test_the_canonical_address_is_resolved() -> None:
    assert (
        parse("<link href='/reef#top' rel='Canonical'><link rel=canonical href=/two>").canonical
        == "http://reef.test/reef"
    )
    assert parse("<link rel=canonical href='javascript:x'>").canonical is None


def test_links_start_from_the_base() -> None:
    markup = parse("<a href=x>1</a><base href=/deep/><base href=/other/><a href=y>2</a>")
    assert markup.base == "http://reef.test/deep/"
    assert [link.url for link in markup.links] == ["http://reef.test/deep/x", "http://reef.test/deep/y"]


@pytest.mark.parametrize("base", ["data:text/html,x", "javascript:x", "ftp://reef.test/", "http://[/", "#x"])
def test_a_base_that_is_no_page_is_ignored(base: str) -> None:
    markup = parse(f"<base href='{base}'><a href=x>1</a>")
    assert markup.base == PAGE
    assert markup.links[0].url == "http://reef.test/shore/x"


@pytest.mark.parametrize(
    ("html", "words"),
    [
        ("<meta name=robots content='NOINDEX, nofollow'>", {"noindex", "nofollow"}),
        ("<meta content=noarchive name=robots><meta name=robots content=none>", {"noarchive", "none"}),
        ("<meta name=otherbot content=noindex>", set()),
        ("<body><meta name=robots content=nofollow>", {"nofollow"}),
    ],
)
def test_words_for_robots_are_read(html: str, words: set[str]) -> None:
    assert parse(html).robots == words


def test_words_for_one_robot_are_read_by_its_name() -> None:
    html = "<meta name=ReefBot content='NOINDEX, noarchive'><meta name=reefbot content=nofollow>"
    markup = parse(html + "<meta name=viewport content='width=1'><meta name=author content='No One'>")
    assert markup.robots == set()
    assert markup.robots_for == {"reefbot": {"noindex", "noarchive", "nofollow"}}


@pytest.mark.parametrize(
    ("content", "target"),
    [
        ("0; url=/new#x", "http://reef.test/new"),
        ("5", "http://reef.test/shore/page"),
        ("x", None),
        ("0;url=ftp://x/", None),
    ],
)
def test_a_refresh_leads_on(content: str, target: str | None) -> None:
    assert parse(f"<meta http-equiv=Refresh content='{content}'>").refresh == target


def test_feeds_are_named_once() -> None:
    html = """<link rel=alternate type=application/rss+xml href=/feed><link rel="alternate" href=/atom
    type="application/atom+xml; charset=utf-8"><link rel=alternate type=application/rss+xml href='/feed#x'>
    <link rel=alternate hreflang=ko href=/ko>"""
    assert parse(html).feeds == ("http://reef.test/feed", "http://reef.test/atom")
