"""List pages in several layouts, written here, to learn, watch and repair on."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest

Item = dict[str, str]

_WORDS = "reef tide shell diver kelp current harbour abalone lantern pearl 해녀 바다 전복 물질 섬마을"
_NOUNS = _WORDS.split()
_VERBS = ["finds", "keeps", "watches", "loses", "measures", "opens", "returns", "remembers"]
_NAVIGATION = ["Home", "News", "Archive", "People", "Contact", "Imprint"]


def _items(count: int, seed: int = 0) -> list[Item]:
    chance = random.Random(seed)
    found = []
    for number in range(count):
        first, second, third = chance.sample(_NOUNS, 3)
        day = chance.randrange(1, 29)
        found.append(
            {
                "title": f"The {first} {chance.choice(_VERBS)} the {second} of {third} {seed}-{number}",
                "link": f"/news/2024/{first}-{seed}-{number}.pdf",
                "date": f"2024-03-{day:02d}",
                "snippet": " ".join(chance.choices(_NOUNS, k=18)) + ".",
            }
        )
    return found


def _table(items: list[Item]) -> Iterator[str]:
    yield '<table class="listing"><tr><th>Date</th><th>Title</th><th>About</th></tr>'
    for item in items:
        yield f'<tr><td>{item["date"]}</td><td><a href="{item["link"]}">{item["title"]}</a></td>'
        yield f"<td>{item['snippet']}</td></tr>"
    yield "</table>"


def _cards(items: list[Item]) -> Iterator[str]:
    yield '<section class="results">'
    for number, item in enumerate(items):
        yield f'<article class="card post-{number}"><h3><a class="head" href="{item["link"]}">{item["title"]}</a></h3>'
        yield f'<p class="meta"><time>{item["date"]}</time></p><div class="text">{item["snippet"]}</div></article>'
    yield "</section>"


def _days(items: list[Item]) -> Iterator[str]:
    """Headings with dates, and under each the items of that day."""
    yield '<div class="days">'
    for day in sorted({item["date"] for item in items}):
        yield f"<h4>{day}</h4><ul>"
        for item in items:
            if item["date"] == day:
                yield f'<li><a href="{item["link"]}">{item["title"]}</a></li>'
        yield "</ul>"
    yield "</div>"


_LOOKS: dict[str, Callable[[list[Item]], Iterator[str]]] = {"table": _table, "cards": _cards, "days": _days}


def _page(items: list[Item], look: str = "cards", here: int = 0) -> str:
    menu = "".join(
        f'<li class="{"active" if number == here else ""}"><a href="/{name.lower()}">{name}</a></li>'
        for number, name in enumerate(_NAVIGATION)
    )
    body = "".join(_LOOKS[look](items))
    frame = f'<nav class="menu"><ul>{menu}</ul></nav><main class="{look}">{body}</main><footer><p>Jeju</p></footer>'
    return f"<!doctype html><html><head><title>News</title></head><body>{frame}</body></html>"


@pytest.fixture
def make_items() -> Callable[..., list[Item]]:
    """`make_items(count, seed)`: news with title, link, date and snippet."""
    return _items


@pytest.fixture
def make_page() -> Callable[..., str]:
    """`make_page(items, look)`: the items as a page in the look `table`, `cards` or `days`."""
    return _page
