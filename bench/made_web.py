"""A made-up web of many sites, the same every time, served to whoever asks through it as an HTTP proxy.

Sites are `site0.example`, `site1.example`, ...; their sizes fall as on the real web, with few large ones and many small
ones. The pages of a site are a tree eight wide below its home page; each also links to its parent, to the home page, to
two pages of its site that are drawn and to three of other sites. Every fifth site is about the sea and says so. A page
is made when it is asked for, so that a web of millions of pages takes no room.
"""

from __future__ import annotations

import asyncio
import random
import re

VOCABULARY = 6_000
TOPIC = ("sea", "diving", "reef", "coral", "tide", "seaweed", "shell", "harbour", "net", "boat", "wave", "salt")
WORDS, PARAGRAPHS, CHILDREN, OUTSIDE = 160, 6, 8, 3
_SYLLABLES = re.findall("..", "badefigolumanepirosutavewixoyuzakehiloburednamisoputerivona")
_ASKED = re.compile(rb"GET http://site(\d+)\.example(?::\d+)?/(?:p(\d+)\.html)? HTTP/1\.[01]\r\n")


class MadeWeb:
    """The web: `pages` on `sites` sites, the largest first."""

    def __init__(self, sites: int, pages: int) -> None:
        weights = [(site + 1) ** -0.6 for site in range(sites)]
        self.sizes = [max(1, round(pages * weight / sum(weights))) for weight in weights]
        chance = random.Random(7)
        self._vocabulary = ["".join(chance.choices(_SYLLABLES, k=2 + number % 3)) for number in range(VOCABULARY)]

    def page(self, site: int, number: int) -> bytes | None:
        """A page's HTML; None if the site has no such page."""
        if site >= len(self.sizes) or number >= self.sizes[site]:
            return None
        chance = random.Random(site << 24 | number)
        words = chance.choices(self._vocabulary, k=WORDS)
        if site % 5 == 0:
            words[::9] = chance.choices(TOPIC, k=len(words[::9]))
        links = [_link(0, site, "home"), *(_link(page, site, words[page % WORDS]) for page in self._near(site, number))]
        links += [_link(page, other, words[page % WORDS]) for other, page in self._far(site, chance)]
        return _html(site, words, links)

    def _near(self, site: int, number: int) -> list[int]:
        size = self.sizes[site]
        first = CHILDREN * number + 1
        drawn = ((number * 7919 + 13) % size, (number * 104_729 + 29) % size)
        return [(number - 1) // CHILDREN if number else 0, *range(first, min(size, first + CHILDREN)), *drawn]

    def _far(self, site: int, chance: random.Random) -> list[tuple[int, int]]:
        others = [(site + 1) % len(self.sizes), *(chance.randrange(len(self.sizes)) for _ in range(OUTSIDE - 1))]
        return [(other, int(self.sizes[other] * chance.random() ** 3)) for other in others]


def address(site: int, page: int) -> str:
    """Where a page is."""
    return f"http://site{site}.example/" + (f"p{page}.html" if page else "")


def _link(page: int, site: int, word: str) -> str:
    return f'<a href="{address(site, page)}">{word}</a>'


def _html(site: int, words: list[str], links: list[str]) -> bytes:
    """A page in its site's dress: a menu that is the same everywhere, paragraphs with links in them, a foot."""
    name = f"c{site % 40}"
    step = len(words) // PARAGRAPHS
    texts = [" ".join(words[at * step : at * step + step]) for at in range(PARAGRAPHS)]
    paragraphs = "".join(
        f"<p class='{name}-text'>{text}. {' '.join(links[at::PARAGRAPHS])}</p>\n" for at, text in enumerate(texts)
    )
    title = " ".join(words[:4])
    menu = f"<ul class='{name}-menu'><li>About site {site}<li>Terms<li>Contact us today</ul>"
    return (
        f"<!doctype html><html lang=en><head><meta charset=utf-8><title>{title}</title></head><body>\n"
        f"<div class='{name}-top'>{menu}</div>\n<div class='{name}-main'><h1>{title}</h1>\n{paragraphs}</div>\n"
        f"<div class='{name}-foot'>Made to be measured, site {site}. All words are drawn by chance.</div></body></html>"
    ).encode()


class Proxy(asyncio.Protocol):
    """Answers requests for any address of the web, one after the other on a connection that stays open."""

    def __init__(self, web: MadeWeb, asked: list[int]) -> None:
        self._web, self._asked = web, asked
        self._waiting = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Remember whom to answer."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Answer every whole request."""
        self._waiting += data
        while b"\r\n\r\n" in self._waiting:
            head, _, self._waiting = self._waiting.partition(b"\r\n\r\n")
            self._transport.write(self._answer(head))

    def _answer(self, head: bytes) -> bytes:
        wanted = _ASKED.match(head + b"\r\n")
        page = self._web.page(int(wanted[1]), int(wanted[2] or 0)) if wanted else None
        if page is None:
            return b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
        self._asked[0] += 1
        return b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%s" % (len(page), page)
