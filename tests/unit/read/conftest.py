"""A made-up site: pages of two templates with a menu, a sidebar and a footer around texts that are all different."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest


def _words(text: str) -> list[str]:
    return text.split()


ENGLISH = _words("tide reef diver shell winter boat island breath water stone basket morning depth sister market rope")
KOREAN = _words("바다는 해녀가 물속에서 전복을 따고 겨울에도 깊은 숨을 참으며 섬으로 돌아와 시장에 나간다")

Page = tuple[str, str, str]
"""Address, HTML, and the text of the article."""


class MadeSite:
    """Makes pages; the same seed makes the same pages."""

    def __init__(self, seed: int = 0, words: list[str] | None = None) -> None:
        self.chance = random.Random(seed)
        self.words = words or ENGLISH

    def sentence(self) -> str:
        count = self.chance.randint(8, 16)
        return " ".join(self.chance.choices(self.words, k=count)).capitalize() + f" {self.chance.randint(100, 999)}."

    def paragraph(self) -> str:
        return " ".join(self.sentence() for _ in range(self.chance.randint(2, 4)))

    def article(self, number: int) -> Page:
        title = f"Story {number} of the {self.chance.choice(self.words)} and {self.chance.choice(self.words)}"
        paragraphs = [self.paragraph() for _ in range(self.chance.randint(4, 7))]
        body = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
        main = f'<article class="post"><h1>{title}</h1><div class="post-content">{body}</div></article>'
        html = self._frame(title, main)
        return f"https://reef.example/{number}", html, "\n\n".join(paragraphs)

    def product(self, number: int) -> Page:
        paragraphs = [self.paragraph() for _ in range(3)]
        body = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
        html = self._frame(f"Thing {number}", f'<div class="shop"><div class="buy">Add to cart</div>{body}</div>')
        return f"https://reef.example/shop/{number}", html, "\n\n".join(paragraphs)

    def _frame(self, title: str, main: str) -> str:
        menu = "".join(f'<li><a href="/{word}">{word}</a></li>' for word in ("home", "news", "shop", "about us"))
        return (
            f"<!doctype html><html><head><title>{title} | Reef News</title><style>p {{ color: red }}</style></head>"
            "<body>"
            f'<nav class="menu"><ul>{menu}</ul></nav><div class="page">{main}'
            '<div class="side"><p>Subscribe to our letter and never miss what the sea has to say to all of us.</p>'
            f"<p>Seen {self.chance.randint(1, 9999)} times</p></div></div>"
            "<footer><p>All stories belong to the women who lived them, and to those who tell them again.</p></footer>"
            "<script>var secret = 'script text';</script></body></html>"
        )


@pytest.fixture
def make_site() -> Callable[..., MadeSite]:
    return MadeSite


@pytest.fixture
def korean_words() -> list[str]:
    return KOREAN
