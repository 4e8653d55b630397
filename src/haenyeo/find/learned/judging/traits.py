"""What the judge notes of a page: its words, which of the topic's words its parts have, and where it leads."""

from __future__ import annotations

import re
from urllib.parse import unquote

import msgspec

from haenyeo.find.learned.features import PageWords
from haenyeo.find.learned.judging.keywords import Keywords
from haenyeo.find.learned.judging.linkage import NOWHERE, PageLinking
from haenyeo.model.parts import LinkedPage

PARTS = ("main", "head", "opening", "headings", "address")
"""The parts of a page whose words count on their own."""

_OPENING, _OPENING_ROOM = 60, 1000  # words, and characters they may take
_CAMEL = re.compile(r"([a-z])([A-Z])")
_SIGNS = re.compile(r"[\W_]+")
_KINDS = r"(tags?|labels?|categor(?:y|ies)|archives?|authors?|genindex|index-\w|search|list|toc|sitemap|all|feed|rss)"
_LISTS = re.compile(
    rf"(?:^|/){_KINDS}(?=/|(?:\.\w+)?(?:\?|$))"  # a folder or a page of this name
    rf"|[?&=]{_KINDS}(?=[&=]|$)"
    r"|(?:^|/)(?:tag|category|archives?|genindex)[-_]|[-_]toc\.\w+$|\bpage[/=]\d",
    re.IGNORECASE,
)
"""A name that stands alone: as a part of a longer one, as in `binary-search-tree`, it is what the page is about."""


class PageTraits(msgspec.Struct, frozen=True, kw_only=True):
    """A page as the judge sees it.

    `coverage` has the share of the topic's words that each of the `PARTS` has; `listing` says that its address is one
    of those that lists of other pages have.
    """

    words: PageWords
    coverage: tuple[float, ...]
    listing: bool = False
    linking: PageLinking = NOWHERE


def traits_of(page: LinkedPage, keywords: Keywords) -> PageTraits:
    """The traits of a page for a topic of these words."""
    main = page.main or page.text
    words = PageWords.of(page.title, main)
    opening = " ".join(main[:_OPENING_ROOM].split(None, _OPENING)[:_OPENING])
    others = (f"{page.title}\n{page.heading}", opening, page.subheadings, words_of_address(page.url))
    return PageTraits(
        words=words,
        coverage=keywords.shares_in(main, words.ids, others, page.language),
        listing=is_list_address(page.url, keywords),
        linking=PageLinking.of(page),
    )


def words_of_address(url: str) -> str:
    """The words in the path and query of an address, in lower case."""
    path = unquote(url.partition("://")[2].partition("/")[2])
    return _SIGNS.sub(" ", _CAMEL.sub(r"\1 \2", path)).lower()


def is_list_address(url: str, keywords: Keywords | None = None) -> bool:
    """Is it the address of a site's front page, or one that lists such as archives and tags usually have?

    A name that is one of the topic's own words tells nothing: it may well be what the page is about.
    """
    path = url.partition("://")[2].partition("/")[2]
    names = [found[1] or found[2] or "" for found in _LISTS.finditer(path)]
    return not path or any(keywords is None or not keywords.asks_for(name) for name in names)
