"""Stored pages read again: their facts and form for exports, and better texts for the whole collection."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from haenyeo.collect.adapters.reading.crawl_reader import PART
from haenyeo.collect.adapters.reading.stored import StoredReader, read_again
from haenyeo.model.pages import Document, Url
from haenyeo.model.visits import Answer, Hop, Outcome, Validators
from haenyeo.read.page.judge import JudgedPage
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


def save(store: Store, number: int, *, kind: str = "", last_modified: str = "", line: str = "") -> Url:
    url = Url(f"https://reef.example/{number}")
    body = (
        HTML.format(number, text_of(number), THINGS[number], THINGS[number - 1])
        .replace("</h1>", f"</h1><p>{line}</p>")
        .encode()
    )
    hop = Hop(url=url, status=200, headers=(("Content-Type", "text/html"),), body=body, at=NOW)
    answer = Answer(
        url=url,
        final_url=url,
        outcome=Outcome.PAGE,
        status=200,
        content_type="text/html",
        body=body,
        hops=(hop,),
        validators=Validators(last_modified=last_modified),
    )
    document = Document(
        url=url,
        title=f"Day {number}",
        text=f"{line}\n\n{text_of(number)}" if line else "Home of the divers, and all else",
        kind=kind,
    )
    store.save(PageRecord(answer=answer, site="reef.example", at=NOW, document=document, kept=True))
    return url


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.create(tmp_path / "divers") as made:
        for number in range(1, 9):
            save(made, number)
        made.flush()
        yield made


def test_a_stored_page_is_of_the_kind_it_was_taken_for_and_is_not_judged_again(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = store.page(save(store, 3, kind="thread"))
    assert page is not None
    assert page.kind == "thread"
    monkeypatch.setattr(JudgedPage, "kind", property(lambda _: pytest.fail("it was judged again")))
    assert StoredReader(store, "default").described(page).kind == "thread"


@pytest.mark.parametrize(
    ("said", "modified"),
    [
        ("Mon, 03 Mar 2025 10:00:00 GMT", ("2025-03-03T10:00:00+00:00", "last-modified")),
        ("Wed, 31 Dec 2025 23:59:00 GMT", ("", "")),
        ("yesterday", ("", "")),
    ],
)
def test_the_server_is_believed_last_and_not_if_it_made_the_page_just_then(
    store: Store, said: str, modified: tuple[str, str]
) -> None:
    page = store.page(save(store, 4, last_modified=said))
    assert page is not None
    for document in (StoredReader(store, "default").described(page), StoredReader(store, "default").read(page)):
        assert (document.modified, document.modified_by) == modified


def test_a_stored_page_has_the_date_that_readers_see(store: Store) -> None:
    page = store.page(save(store, 5, line="Published on 3 March 2025"))
    assert page is not None
    document = StoredReader(store, "default").described(page)
    assert (document.published, document.published_by) == ("2025-03-03", "text")


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
