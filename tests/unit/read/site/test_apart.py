"""What stands beside the text in its container, and is not the text: bylines, and what readers have written."""

from __future__ import annotations

import random

import pytest

from haenyeo.collect.adapters.reading.site_texts import ContainerTexts
from haenyeo.html.parse import parse_html
from haenyeo.model.pages import Url
from haenyeo.read.extract import extract_site

WORDS = [
    "tide",
    "reef",
    "diver",
    "shell",
    "winter",
    "boat",
    "island",
    "breath",
    "water",
    "stone",
    "basket",
    "rope",
    "harbour",
    "cliff",
]
NAMES = ["Hana", "Minji", "Tariq", "Lucy", "Edith", "Henrik", "Martha", "Clara", "Joon", "Sora"]


def line(chance: random.Random, words: int = 14) -> str:
    return " ".join(chance.choices(WORDS, k=words)).capitalize() + f" {chance.randint(100, 999)}."


def text_of(number: int) -> list[str]:
    chance = random.Random(number)
    return [line(chance) for _ in range(3)]


def comments_of(number: int) -> list[str]:
    chance = random.Random(1000 + number)
    return [line(chance, 22) for _ in range(4 + number % 3)]


def page(number: int) -> tuple[str, str]:
    """More comments than text, under names that say nothing, and a line about the author below the title."""
    chance = random.Random(2000 + number)
    told = "".join(f"<p>{paragraph}</p>" for paragraph in text_of(number))
    said = "".join(f"<div class=k4><b>{chance.choice(NAMES)}</b><p>{text}</p></div>" for text in comments_of(number))
    return f"https://reef.example/{number}", (
        f"<title>Story {number}</title><body><nav><a href=/>Home</a></nav><main><div><article class=k1>"
        f"<h1>The story of {' '.join(chance.choices(WORDS, k=2))}</h1>"
        f"<p class=k2>By {chance.choice(NAMES)} Marsh · {chance.randint(1, 28)} May 2026</p><div class=k3>{told}</div>"
        f"</article></div><div><section class=k5><h2>Comments ({len(comments_of(number))})</h2>{said}</section></div>"
    )


PAGES = [page(number) for number in range(30)]


def body(text: str) -> list[str]:
    paragraphs = text.split("\n\n")
    return paragraphs[1:] if paragraphs[0].startswith("The story of") else paragraphs


def test_comments_and_bylines_are_apart_from_the_text() -> None:
    for number, document in enumerate(extract_site(PAGES)):
        assert body(document.text) == text_of(number)
        assert all(comment in document.comments for comment in comments_of(number))


def test_a_crawl_keeps_them_apart_as_well() -> None:
    texts = ContainerTexts()
    found = [texts.read(Url(url), parse_html(html, Url(url)), str) for url, html in PAGES]
    assert [body(text) for text in found[20:]] == [text_of(number) for number in range(20, 30)]


@pytest.mark.parametrize("place", ["k3", "k3 note"])
def test_a_note_among_the_text_is_text(place: str) -> None:
    pages = [
        (
            url,
            html.replace(
                "<div class=k3>",
                f"<div class=k3><p>{line(random.Random(n))}</p><p class='{place}'>Note: {n * 7} is odd.</p>",
            ),
        )
        for n, (url, html) in enumerate(PAGES)
    ]
    assert all("Note:" in document.text for document in extract_site(pages))
