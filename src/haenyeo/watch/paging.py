"""Which page of a list comes next?

A link says so itself (`rel=next`, "next", "다음", an arrow), or it has the number after this page's, among links that
differ from this page's address only in that number.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from haenyeo.html.urls import canonical, site_of
from haenyeo.model.pages import Markup, Url

_NEXT = re.compile(
    r"(?:next|older|more results|load more|다음|다음\s*페이지|더\s*보기|次へ|下一页|weiter|suivant|siguiente)"
    r"(?:\s*(?:page|posts|entries|results|목록|페이지))?\s*[\u203a»>→▶]*|[\u203a»>→▶]+",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d{1,5}")
_DIGITS = re.compile(r"\d+")


class _Anchor(NamedTuple):
    url: Url
    words: str
    rel: str


def next_page(markup: Markup, url: Url) -> Url | None:
    """The address of the list's next page, on the same site; None when this is the last or the only one."""
    anchors = [anchor for anchor in _anchors(markup) if anchor.url != url and site_of(anchor.url) == site_of(url)]
    numbered = _numbered(anchors, url)
    if numbered is not None:
        return numbered
    for anchor in anchors:
        if "next" in anchor.rel.lower().split() or _NEXT.fullmatch(anchor.words):
            return anchor.url
    return None


def _anchors(markup: Markup) -> Iterable[_Anchor]:
    for link in markup.links:
        words = markup.blocks[link.block].text[link.start : link.end] if link.block >= 0 else link.label
        address = canonical(link.url)
        if address is not None:
            yield _Anchor(address, words.strip(), link.rel)


def _numbered(anchors: Iterable[_Anchor], url: Url) -> Url | None:
    """The page with the number after this one's, from links whose words are the number in their address."""
    pages = {
        int(anchor.words): anchor.url
        for anchor in anchors
        if _NUMBER.fullmatch(anchor.words) and anchor.words in _DIGITS.findall(anchor.url) and _alike(anchor.url, url)
    }
    return pages.get(_own_number(url, pages) + 1)


def _alike(one: str, other: str) -> bool:
    """Whether two addresses have the same path but for numbers; the first page often goes without its number."""
    one_path, other_path = (_DIGITS.sub("0", each.partition("?")[0]).rstrip("/") for each in (one, other))
    return one_path == other_path or one_path.startswith(other_path) or other_path.startswith(one_path)


def _own_number(url: str, pages: dict[int, Url]) -> int:
    """This page's number: the one that makes its address when put into another page's; 1 when there is none."""
    for number, address in pages.items():
        head, found, tail = address.rpartition(str(number))
        if found and url.startswith(head) and url.endswith(tail):
            own = url[len(head) : len(url) - len(tail)]
            if own.isdigit():
                return int(own)
    return 1
