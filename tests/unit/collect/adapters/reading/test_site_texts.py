"""What a crawl holds of one site has a bound, whatever the site is like, from its first page on."""

from __future__ import annotations

import gc
import random
import tracemalloc
from collections.abc import Callable, Iterator

import pytest

from haenyeo.collect.adapters.reading.site_texts import ContainerTexts
from haenyeo.html.parse import parse_html
from haenyeo.model.pages import Markup, Url
from haenyeo.read.page import outline
from haenyeo.read.site import lessons, sample

MOST_BYTES = 256 * 1024
PAGES = 8


def words(chance: random.Random, count: int, first: int = 0x61, letters: int = 26) -> str:
    return " ".join("".join(chr(first + chance.randrange(letters)) for _ in range(7)) for _ in range(count))


def long_page(number: int) -> str:
    """Far more text than fits into the room of a site."""
    chance = random.Random(number)
    return "<nav>The same on every page</nav><main>" + "".join(f"<p>{words(chance, 90)}." for _ in range(150))


def page_of_many_places(number: int) -> str:
    """Every block of a page has a place of its own, named in letters that take much room."""
    chance, names = random.Random(number), random.Random(0)
    places = [words(names, 5, 0xAC00, 9000) for _ in range(600)]
    return "<main>" + "</div>".join(f"<div class='{place}'>{words(chance, 4)}" for place in places)


def page_of_many_labels(number: int) -> str:
    """Every place is on all pages, and has a line that says what it is."""
    chance = random.Random(number)
    names = [chr(97 + place % 26) + chr(97 + place // 26) for place in range(300)]
    return "<main>" + "</div>".join(f"<div class='{name}'>{name}: {words(chance, 6)}" for name in names)


def page_of_tiny_blocks(number: int) -> str:
    return "".join(f"<p>{number * place}" for place in range(6000))


def bytes_held(page_of: Callable[[int], str]) -> Iterator[int]:
    """The bytes that become free when a site is let go of, after each number of pages."""
    for count in (1, 4, 5, PAGES):
        texts = ContainerTexts()
        for number in range(count):
            texts.read(Url(f"https://a.example/{number}"), parsed(page_of(number)), str)
            if texts.may_settle:
                list(texts.settle(lambda url: parsed(page_of(int(url.rpartition("/")[2])))))
        sample.plain.cache_clear()
        lessons.cleaned.cache_clear()
        gc.collect()
        before, _ = tracemalloc.get_traced_memory()
        del texts
        gc.collect()
        yield before - tracemalloc.get_traced_memory()[0]


def parsed(html: str) -> Markup:
    return parse_html(html, Url("https://a.example/"))


@pytest.mark.slow
@pytest.mark.parametrize("page_of", [long_page, page_of_many_places, page_of_many_labels, page_of_tiny_blocks])
def test_a_site_never_takes_more_than_its_room(page_of: Callable[[int], str]) -> None:
    tracemalloc.start()
    try:
        sizes = list(bytes_held(page_of))
    finally:
        tracemalloc.stop()
    assert max(sizes) <= MOST_BYTES, sizes


def test_long_pages_wait_as_addresses_and_are_settled_all_the_same() -> None:
    texts, asked = ContainerTexts(), []

    def again(url: Url) -> Markup:
        asked.append(url)
        return parsed(long_page(int(url.rpartition("/")[2])))

    settled = []
    for number in range(5):
        texts.read(Url(f"https://a.example/{number}"), parsed(long_page(number)), str)
        settled += list(texts.settle(again)) if texts.may_settle else []
    assert 0 < len(asked) <= 4
    assert [page.url for page in settled] == [f"https://a.example/{number}" for number in range(4)]
    for number, page in enumerate(settled):
        assert page.text.split() == long_page(number).partition("<main>")[2].replace("<p>", " ").split()


def test_a_page_of_more_blocks_than_are_looked_at_is_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outline, "MAX_BLOCKS", 40)
    texts, chance = ContainerTexts(), random.Random(1)
    for number in range(PAGES):
        texts.read(Url(f"https://a.example/{number}"), parsed(f"<main><p>{words(chance, 90)}."), str)
    sections = "".join(f"<section><p>{words(chance, 40)}.</section>" for _ in range(60))
    assert len(texts.again(Url("https://a.example/all"), [parsed(f"<article>{sections}")], [""])) == 1
