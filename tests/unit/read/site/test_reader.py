from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.html.parse import parse_html
from haenyeo.model.compression import zstd
from haenyeo.model.pages import Block, Markup, Url
from haenyeo.read.page.judge import JudgedPage
from haenyeo.read.page.outline import PageOutline
from haenyeo.read.site.reader import SiteReader
from haenyeo.read.site.reading import TEMPLATE, SiteReading
from haenyeo.read.title import title_of

MOST_BYTES = 256 * 1024


def parsed(page: tuple[str, str, str]) -> Markup:
    return parse_html(page[1], Url(page[0]))


def looked_at(page: tuple[str, str, str]) -> JudgedPage:
    return JudgedPage.of(parsed(page))


def kept(markup: Markup, reading: SiteReading) -> str:
    return "\n\n".join(block.text for block, keep in zip(markup.blocks, reading.kept, strict=True) if keep)


def body(markup: Markup, reading: SiteReading) -> str:
    """What was kept, without the heading."""
    text = kept(markup, reading)
    heading = next((block.text for block in markup.blocks if block.path.endswith("h1")), "")
    return text.removeprefix(f"{heading}\n\n")


@pytest.fixture
def learned(make_site: Callable[..., Any]) -> tuple[SiteReader, list[tuple[str, str, str]]]:
    site, reader = make_site(1), SiteReader()
    pages = [site.article(number) for number in range(12)]
    for page in pages:
        assert reader.learn(looked_at(page))
    return reader, pages


def test_the_first_page_of_a_site_is_read(make_site: Callable[..., Any]) -> None:
    page = make_site(2).article(1)
    markup, reader = parsed(page), SiteReader()
    reader.learn(JudgedPage.of(markup))
    assert body(markup, reader.read(JudgedPage.of(markup))).startswith(page[2])


def test_a_page_is_read_by_a_reader_that_knows_nothing(make_site: Callable[..., Any]) -> None:
    page = make_site(2).article(1)
    markup = parsed(page)
    assert body(markup, SiteReader().read(JudgedPage.of(markup))).startswith(page[2])


def test_the_pages_of_a_site_teach_its_container(learned: tuple[SiteReader, list[tuple[str, str, str]]]) -> None:
    reader, pages = learned
    for page in pages:
        assert body(parsed(page), reader.read(looked_at(page))) == page[2]
    assert reader.containers[0].startswith("div.page>article.post")


def test_what_stands_on_most_pages_is_said_to(learned: tuple[SiteReader, list[tuple[str, str, str]]]) -> None:
    reader, pages = learned
    markup = parsed(pages[0])
    reading = reader.read(JudgedPage.of(markup))
    reasons = {block.text: reason for block, reason in zip(markup.blocks, reading.reasons, strict=True)}
    footer = next(text for text in reasons if text.startswith("All stories"))
    assert reasons[footer] == TEMPLATE


def test_korean_pages_are_read_as_well(make_site: Callable[..., Any], korean_words: list[str]) -> None:
    site, reader = make_site(4, korean_words), SiteReader()
    pages = [site.article(number) for number in range(6)]
    for page in pages:
        reader.learn(looked_at(page))
    for page in pages:
        assert body(parsed(page), reader.read(looked_at(page))) == page[2]


def test_a_site_may_have_several_templates(make_site: Callable[..., Any]) -> None:
    site, reader = make_site(5), SiteReader()
    pages = [site.article(number) if number % 2 else site.product(number) for number in range(16)]
    for page in pages:
        reader.learn(looked_at(page))
    for page in pages:
        assert body(parsed(page), reader.read(looked_at(page))) == page[2]


def test_a_page_met_before_teaches_nothing(learned: tuple[SiteReader, list[tuple[str, str, str]]]) -> None:
    reader, pages = learned
    assert not reader.learn(JudgedPage.of(parsed(pages[0])))
    assert reader.pages == len(pages)


def test_an_empty_page_teaches_nothing() -> None:
    reader, page = SiteReader(), looked_at(("https://reef.example/", "", ""))
    assert not reader.learn(page)
    assert reader.read(page).kept == []


def test_a_written_reader_reads_the_same(learned: tuple[SiteReader, list[tuple[str, str, str]]]) -> None:
    reader, pages = learned
    again = SiteReader.from_bytes(reader.to_bytes())
    assert again.pages == reader.pages
    for page in pages:
        one, other = again.read(looked_at(page)), reader.read(looked_at(page))
        assert (one.kept, one.reasons, one.expected) == (other.kept, other.reasons, other.expected)


def test_a_folded_reader_takes_little_room_and_goes_on_as_it_was(make_site: Callable[..., Any]) -> None:
    site, folding, plain = make_site(1), SiteReader(), SiteReader()
    for number in range(20):
        page = looked_at(site.article(number))
        for reader in (folding, plain):
            reader.learn(page)
        one, other = folding.read(page), plain.read(page)
        assert (one.kept, one.reasons, one.expected) == (other.kept, other.reasons, other.expected)
        blocks = parsed(site.article(number)).blocks
        assert folding.skim(blocks) == plain.skim(blocks)
        assert folding.fold() == folding.fold()
    assert folding.fold() < 8_000
    assert folding.to_bytes() == plain.to_bytes()


def test_a_reader_written_by_an_earlier_version_is_read(learned: tuple[SiteReader, list[tuple[str, str, str]]]) -> None:
    reader, _ = learned
    earlier = zlib.compress(zstd.decompress(reader.to_bytes()), level=1)
    assert SiteReader.from_bytes(earlier).to_bytes() == reader.to_bytes()


@pytest.mark.slow
def test_what_is_remembered_of_a_large_site_has_a_bound(make_site: Callable[..., Any]) -> None:
    site, reader = make_site(6), SiteReader()
    for number in range(600):
        reader.learn(looked_at(site.article(number)))
    assert len(reader.to_bytes()) < MOST_BYTES
    page = site.article(600)
    assert body(parsed(page), reader.read(looked_at(page))) == page[2]


def test_pages_with_endless_names_are_not_remembered() -> None:
    reader = SiteReader()
    for number in range(3):
        name = f"c{number}" * 400
        blocks = [Block(f"The tide {place} of {number}", f"div.{name}x{place}>p") for place in range(1000)]
        reader.learn(JudgedPage(PageOutline(blocks), ""))
    assert len(reader.to_bytes()) < MOST_BYTES
    assert len(reader.read(JudgedPage(PageOutline(blocks), "")).kept) == 1000


@given(st.binary())
def test_bytes_that_are_no_reader_make_a_new_one(data: bytes) -> None:
    assert SiteReader.from_bytes(data).pages == 0


def test_the_parts_that_the_titles_of_most_pages_have_are_names() -> None:
    reader = SiteReader()
    for number in range(6):
        text = f"<p>The tide of day {number} was low, and sister {number * 7} found {number * 3} shells on the reef."
        page = parse_html(f"<title>Day {number}: low | Reef News</title>{text}", Url(f"https://a.example/{number}"))
        reader.learn(JudgedPage.of(page))
        reader.read(JudgedPage.of(page))
    assert reader.names_in("Day 9: high | Reef News", ()) == {"reef news"}
    again = SiteReader.from_bytes(reader.to_bytes())
    assert again.names_in("Reef News | About", ()) == {"reef news"}
    assert not again.names_in("Reef News", ())


def test_the_names_of_several_manuals_on_one_site_are_names_beside_headings() -> None:
    reader = SiteReader()
    for number in range(16):
        manual = ("Notation of reefs", "Learning tides", "Diving by night", "Shells")[number % 4]
        text = f"<p>The tide of day {number} was low, and sister {number * 7} found {number * 3} shells on the reef."
        html = f"<title>{manual}: {number}.2 Lute</title><h3>{number}.2 Lute</h3>{text}"
        page = parse_html(html, Url(f"https://a.example/{number}"))
        reader.learn(JudgedPage.of(page))
    title, blocks = "Shells: 7.2 Lute", [Block("7.2 Lute", "div>h3")]
    assert reader.names_in(title, blocks) == {"shells"}
    assert title_of(title, blocks, repeated=reader.names_in(title, blocks)) == "7.2 Lute"
    assert not reader.names_in(title, [Block("Shells: 7.2 Lute", "div>h3")])
