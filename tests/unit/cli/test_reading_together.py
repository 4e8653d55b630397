from __future__ import annotations

import pytest

from haenyeo.cli import reading_together
from haenyeo.cli.reading_together import read_together, row_of
from haenyeo.model.pages import Document, Url
from haenyeo.read.extract import ContainerMethod
from haenyeo.store.page_files import GivenPage

SENTENCE = "The divers of the island know the tides of {}, and they know every reef and every stone by its name."


def pages(count: int, sites: int) -> list[GivenPage]:
    html = "<title>Page {0}</title><nav><a href=/>Home</a></nav><article><p>{1}</p></article>"
    return [
        GivenPage(f"s{n % sites}", f"https://reef.example/{n}", html.format(n, SENTENCE.format(n)))
        for n in range(count)
    ]


@pytest.mark.parametrize(("most_sites", "held"), [(2, 1 << 20), (2, 0), (512, 200)])
def test_pages_are_read_alike_however_little_fits_in_memory(
    monkeypatch: pytest.MonkeyPatch, most_sites: int, held: int
) -> None:
    monkeypatch.setattr(reading_together, "MOST_SITES", most_sites)
    monkeypatch.setattr(reading_together, "HELD_BYTES", held)
    found = list(read_together(pages(20, 5), "container"))
    assert [document.url for document in found] == [f"https://reef.example/{n}" for n in range(20)]
    assert [document.text for document in found] == [SENTENCE.format(n) for n in range(20)]


def test_a_line_leaves_out_what_is_empty() -> None:
    row = row_of(Document(url=Url("https://a.example/"), title="", text="x", language=""))
    assert row == {"url": "https://a.example/", "title": "", "text": "x", "lang": ""}


def test_what_is_known_of_a_site_with_one_page_is_not_written_beside_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    given = pages(6, 6)
    expected = list(read_together(given, "container"))
    monkeypatch.setattr(reading_together, "MOST_SITES", 2)
    monkeypatch.setattr(ContainerMethod, "to_bytes", lambda _: pytest.fail("the page says it all"))
    assert list(read_together(given, "container")) == expected
