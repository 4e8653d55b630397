"""What the judge notes of a page: its words, which of the topic's words its parts have, and where it lies."""

from __future__ import annotations

import re
from urllib.parse import unquote
from zlib import crc32

import msgspec

from haenyeo.find.learned.features import PageWords
from haenyeo.find.learned.judging.keywords import Keywords
from haenyeo.model.parts import LinkedPage

PARTS = ("main", "head", "opening", "headings", "address")
"""The parts of a page whose words count on their own."""
LEVELS = 4
"""How many folders around a page are told apart, from the one below the top of its site on."""

_OPENING, _OPENING_ROOM = 60, 1000  # words, and characters they may take
_CAMEL = re.compile(r"([a-z])([A-Z])")
_SIGNS = re.compile(r"[\W_]+")
_LISTS = re.compile(
    r"(?:^|[/_.?&=-])(?:tags?|labels?|categor(?:y|ies)|archives?|authors?|genindex|index-[a-z]|search|list|toc|sitemap|all"
    r"|feed|rss|page[/=]\d+)(?:[/_.?&=-]|$)",
    re.IGNORECASE,
)


class PageTraits(msgspec.Struct, frozen=True, kw_only=True):
    """A page as the judge sees it.

    `coverage` has the share of the topic's words that each of the `PARTS` has; `listing` says that its address is one
    of those that lists of other pages have; `folders` are marks of the folders around it, 0 where there is none.
    """

    words: PageWords
    coverage: tuple[float, ...]
    listing: bool = False
    folders: tuple[int, ...] = (0,) * LEVELS


def traits_of(page: LinkedPage, keywords: Keywords) -> PageTraits:
    """The traits of a page for a topic of these words."""
    main = page.main or page.text
    words = PageWords.of(page.title, main)
    opening = " ".join(main[:_OPENING_ROOM].split()[:_OPENING])
    others = (f"{page.title}\n{page.heading}", opening, page.subheadings, words_of_address(page.url))
    return PageTraits(
        words=words,
        coverage=(keywords.share_in(main, words.ids), *(keywords.share_in(text) for text in others)),
        listing=is_list_address(page.url),
        folders=folders_of(page.url),
    )


def words_of_address(url: str) -> str:
    """The words in the path and query of an address, in lower case."""
    path = unquote(url.partition("://")[2].partition("/")[2])
    return _SIGNS.sub(" ", _CAMEL.sub(r"\1 \2", path)).lower()


def is_list_address(url: str) -> bool:
    """Is it the address of a site's front page, or one that lists such as archives and tags usually have?"""
    path = url.partition("://")[2].partition("/")[2]
    return not path or bool(_LISTS.search(path))


def folders_of(url: str) -> tuple[int, ...]:
    """Marks of the folders around a page, the outermost first, the site's top left out."""
    parts = url.partition("?")[0].partition("://")[2].split("/")[:-1][: LEVELS + 1]
    marks = [crc32("/".join(parts[:depth]).encode()) for depth in range(2, len(parts) + 1)]
    return tuple(marks + [0] * (LEVELS - len(marks)))
