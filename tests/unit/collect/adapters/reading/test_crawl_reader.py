"""Pages of a crawl: read provisionally, settled once the site is known, skimmed from then on; all of it stored."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from haenyeo.collect.adapters.reading import crawl_reader, site_texts
from haenyeo.collect.adapters.reading.crawl_reader import BOILERPLATE, PART, CrawlReader, ReadPage
from haenyeo.collect.adapters.reading.unsettled import PART as UNSETTLED
from haenyeo.html.parse import parse_page
from haenyeo.model.errors import UnknownPartError
from haenyeo.model.pages import KINDS, Url
from haenyeo.model.visits import Answer, Hop, Outcome
from haenyeo.store import PageRecord, Store

WORDS = ("tide", "reef", "diver", "shell", "winter", "boat", "island", "breath", "water", "stone", "basket", "rope")
MENU = "<nav class=menu><a href=/>Home</a> <a href=/news>News of the island and the sea</a></nav>"
FOOTER = "<footer><p>All stories belong to the women who lived them, and to those who tell them again.</p></footer>"


def text_of(number: int) -> str:
    chance = random.Random(number)
    lines = [" ".join(chance.choices(WORDS, k=14)).capitalize() + f" {chance.randint(100, 999)}." for _ in range(12)]
    return "\n\n".join(" ".join(lines[start : start + 3]) for start in range(0, 12, 3))


def html_of(number: int) -> bytes:
    body = "".join(f"<p>{paragraph}</p>" for paragraph in text_of(number).split("\n\n"))
    page = (
        f"<title>Story {number}</title><body>{MENU}<article class=post><div class=text>{body}</div></article>{FOOTER}"
    )
    return page.encode()


def answer(number: int, body: bytes | None = None, site: str = "reef.example") -> Answer:
    url = Url(f"https://{site}/{number}")
    data = body or html_of(number)
    hop = Hop(url=url, status=200, headers=(("content-type", "text/html"),), body=data, at=NOW)
    return Answer(
        url=url, final_url=url, outcome=Outcome.PAGE, status=200, content_type="text/html", body=data, hops=(hop,)
    )


NOW = datetime(2026, 1, 1, tzinfo=UTC)


def read(reader: CrawlReader, given: Answer) -> ReadPage:
    return reader.read(given, parse_page(given.body, given.final_url, "text/html"))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.create(tmp_path / "divers") as made:
        yield made


def test_the_first_page_of_a_site_is_read(store: Store) -> None:
    assert read(CrawlReader(store, "default"), answer(1)).document.text == text_of(1)


def test_first_pages_are_settled_once_the_site_is_known(store: Store) -> None:
    reader = CrawlReader(store, "default")
    pages = [read(reader, answer(number)) for number in range(6)]
    settled = [page for read_page in pages for page in read_page.settled]
    assert [page.url for page in settled] == [f"https://reef.example/{number}" for number in range(4)]
    assert [page.text for page in settled] == [text_of(number) for number in range(4)]
    assert [page.document.text for page in pages[4:]] == [text_of(4), text_of(5)]


def test_what_a_site_taught_is_there_for_the_next_crawl(store: Store) -> None:
    first = CrawlReader(store, "default")
    states = [state for number in range(12) for state in read(first, answer(number)).states]
    assert {(state.part, state.key) for state in states} == {(PART, "reef.example"), (UNSETTLED, "0")}
    assert list(first.remember()) == []
    assert store.state(PART, "reef.example")
    page = read(CrawlReader(store, "default"), answer(20))
    assert page.document.text == text_of(20)
    assert page.settled == ()


def test_pages_of_a_small_site_are_settled_at_the_end(store: Store) -> None:
    reader = CrawlReader(store, "default")
    for number in range(3):
        read(reader, answer(number))
    assert [page.text for page in reader.remember()] == [text_of(number) for number in range(3)]


def test_sites_that_are_not_met_any_more_leave_the_memory(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crawl_reader, "MOST_OPEN", 2)
    monkeypatch.setattr(crawl_reader, "MOST_FOLDED_BYTES", 0)
    reader = CrawlReader(store, "default")
    for number in range(6):
        for site in ("a.example", "b.example", "c.example"):
            given = answer(number, site=site)
            page = read(reader, given)
            store.save(PageRecord(answer=given, site=site, at=NOW, document=page.document, kept=True))
            for better in page.settled:
                store.put_text(better.url, better.text)
    assert len(reader._sites) == 2
    assert {page.text for page in store.pages()} == {text_of(number) for number in range(6)}


@pytest.mark.parametrize("open_sites", [1, 100])
def test_a_site_met_between_many_others_is_known_as_well_as_one_met_alone(
    store: Store, monkeypatch: pytest.MonkeyPatch, open_sites: int
) -> None:
    """Each page of a site comes after pages of all others: they must not be forgotten before there are enough."""
    monkeypatch.setattr(crawl_reader, "MOST_OPEN", open_sites)
    reader = CrawlReader(store, "default")
    settled = {
        page.url
        for number in range(6)
        for site in range(10)
        for page in read(reader, answer(number, site=f"s{site}.example")).settled
    }
    assert settled == {f"https://s{site}.example/{number}" for number in range(4) for site in range(10)}
    assert list(reader.remember()) == []
    assert len(list(store.states(PART))) == 10


def test_folded_sites_take_a_tenth_of_the_room(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crawl_reader, "MOST_OPEN", 1)
    reader = CrawlReader(store, "default")
    for number in range(3):
        for site in range(30):
            read(reader, answer(number, site=f"s{site}.example"))
    assert len(reader._sites) == 30
    assert reader._folded_bytes == sum(reader._folded.values()) < 30 * 15_000
    list(reader.remember())
    assert (reader._folded_bytes, reader._folded, len(reader._open)) == (0, {}, 0)


def test_a_page_without_text_of_its_own_is_marked(store: Store) -> None:
    reader = CrawlReader(store, "default")
    for number in range(8):
        assert not read(reader, answer(number)).mark
    page = read(reader, answer(9, f"<title>Empty</title><body>{MENU}{FOOTER}".encode()))
    assert page.mark == BOILERPLATE
    assert "News of the island" in page.document.text


@pytest.mark.parametrize("name", ["frequency", "density"])
def test_other_methods_read_page_by_page(store: Store, name: str) -> None:
    reader = CrawlReader(store, name)
    texts = [read(reader, answer(number)).document.text for number in range(8)]
    assert text_of(7).split("\n\n")[1] in texts[7]
    list(reader.remember())
    assert list(store.states(PART)) == []


def test_an_unknown_method_is_refused(store: Store) -> None:
    with pytest.raises(UnknownPartError):
        CrawlReader(store, "guesswork")


def kept(store: Store, reader: CrawlReader, number: int) -> None:
    given = answer(number)
    page = read(reader, given)
    store.save(
        PageRecord(answer=given, site="reef.example", at=NOW, document=page.document, kept=True, states=page.states)
    )
    for better in page.settled:
        store.put_text(better.url, better.text)


def spoil(store: Store) -> None:
    """As if the first pages had been read badly."""
    for page in list(store.pages()):
        store.put_text(page.url, "provisional")


def test_pages_of_a_crawl_that_died_are_settled_when_more_of_their_site_come(store: Store) -> None:
    first = CrawlReader(store, "default")
    for number in range(3):
        kept(store, first, number)
    spoil(store)
    second = CrawlReader(store, "default")
    for number in range(3, 6):
        kept(store, second, number)
    assert {page.text for page in store.pages()} == {text_of(number) for number in range(6)}


def test_pages_of_a_crawl_that_died_are_settled_at_the_end_of_the_next(store: Store) -> None:
    first = CrawlReader(store, "default")
    for number in range(4):
        kept(store, first, number)
    spoil(store)
    assert {page.text for page in CrawlReader(store, "default").remember()} == {text_of(number) for number in range(4)}
    assert list(CrawlReader(store, "default").remember()) == []


def test_pages_for_which_there_is_no_room_wait_in_the_archive(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site_texts, "MOST_HELD", 0)
    reader = CrawlReader(store, "default")
    for number in range(4):
        kept(store, reader, number)
    spoil(store)
    kept(store, reader, 4)
    assert {page.text for page in store.pages()} == {text_of(number) for number in range(5)}


def test_a_waiting_page_that_has_left_the_archive_keeps_its_text(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site_texts, "MOST_HELD", 0)
    reader = CrawlReader(store, "default")
    pages = [read(reader, answer(number)) for number in range(6)]
    assert [list(page.settled) for page in pages] == [[]] * 6


def test_settled_pages_are_left_alone(store: Store) -> None:
    first = CrawlReader(store, "default")
    for number in range(6):
        kept(store, first, number)
    spoil(store)
    assert list(CrawlReader(store, "default").remember()) == []


@pytest.mark.parametrize("extractor", ["default", "density"])
def test_two_versions_of_a_page_are_read_with_the_same_knowledge(store: Store, extractor: str) -> None:
    reader = CrawlReader(store, extractor)
    for number in range(12):
        read(reader, answer(number))
    url, first = answer(1).final_url, html_of(1).decode()
    old, new = reader.versions(url, first, first.replace("Home", "Start"))
    assert old.text == new.text != ""
    assert "Start" in new.page
    old, new = reader.versions(url, first, first.replace("</div>", "<p>And one more tide.</p></div>"))
    assert "one more tide" in new.text
    assert "one more tide" not in old.page


def test_every_page_has_a_kind_judged_or_skimmed_before_and_after_a_restart(store: Store) -> None:
    reader = CrawlReader(store, "default")
    kinds = [read(reader, answer(number)).document.kind for number in range(12)]
    list(reader.remember())
    kinds += [read(CrawlReader(store, "default"), answer(20)).document.kind]
    assert set(kinds) <= set(KINDS)
    assert kinds[0] == kinds[-1]
