"""Stored pages read again: their facts and form for exports, and better texts for the whole collection."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from haenyeo.collect.adapters.reading.crawl_reader import PART
from haenyeo.collect.adapters.reading.stored import StoredReader, read_again
from haenyeo.model.pages import Document, Url
from haenyeo.model.visits import Answer, Hop, Outcome
from haenyeo.store import PageRecord, Store

NOW = datetime(2026, 1, 1, tzinfo=UTC)
TIDE = "On day {} the tide came late to the island, and sister {} brought {} shells up from the reef."
HTML = (
    "<title>Day {0}</title><meta name=author content='Ko Hana'><body><nav class=menu><a href=/>Home of the divers</a>"
    "</nav><article class=post><h1>Day {0}</h1><p>{1}</p><ul><li>{2}</li><li>{3}</li></ul></article>"
)


THINGS = ("rope", "net", "shell", "knife", "float", "basket", "mask", "stone", "wetsuit", "hook")


def text_of(number: int) -> str:
    return TIDE.format(number, number * 7, number * 13) + " " + TIDE.format(number + 50, number * 3, number * 11)


def save(store: Store, number: int) -> Url:
    url = Url(f"https://reef.example/{number}")
    body = HTML.format(number, text_of(number), THINGS[number], THINGS[number - 1]).encode()
    hop = Hop(url=url, status=200, headers=(("Content-Type", "text/html"),), body=body, at=NOW)
    answer = Answer(
        url=url, final_url=url, outcome=Outcome.PAGE, status=200, content_type="text/html", body=body, hops=(hop,)
    )
    document = Document(url=url, title=f"Day {number}", text="Home of the divers, and all else")
    store.save(PageRecord(answer=answer, site="reef.example", at=NOW, document=document, kept=True))
    return url


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.create(tmp_path / "divers") as made:
        for number in range(1, 9):
            save(made, number)
        made.flush()
        yield made


def test_reading_again_puts_better_texts_in_place(store: Store) -> None:
    told: list[tuple[int, int]] = []
    result = read_again(store, "default", lambda done, everything: told.append((done, everything)))
    assert (result.sites, result.pages, result.changed, result.lost) == (1, 8, 8, 0)
    assert told == [(8, 8)]
    for page in store.pages():
        assert "Home of the divers" not in page.text
        assert text_of(page.id) in page.text
    assert store.state(PART, "reef.example")
    assert read_again(store, "default").changed == 0


def test_pages_that_the_archive_lost_stay_as_they_were(store: Store) -> None:
    for file in (store.folder / "archive").iterdir():
        file.unlink()
    result = read_again(store, "default")
    assert (result.changed, result.lost) == (0, 8)
    page = next(store.pages())
    assert StoredReader(store, "default").read(page).text == page.text


def test_a_stored_page_says_all_that_it_said(store: Store) -> None:
    read_again(store, "default")
    reader, page = StoredReader(store, "default"), next(store.pages())
    assert reader.described(page).author == "Ko Hana"
    document = reader.read(page)
    assert "- net\n- rope" in document.markdown
    assert "Home of the divers" in [drop.block.text for drop in document.dropped]


def test_another_method_has_its_own_memory(store: Store) -> None:
    read_again(store, "frequency")
    assert store.state(PART, "reef.example") is None
    assert store.state(f"{PART}-frequency", "reef.example")
