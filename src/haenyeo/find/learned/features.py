"""Words, addresses and anchors as numbers: every feature is hashed into one table of fixed size.

Nothing need be known beforehand and nothing grows with the crawl. That two features fall together is rare enough not
to matter: of those a crawl meets some ten thousand say anything, and the table has room for 262,144.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from urllib.parse import unquote, urlsplit
from zlib import crc32

import msgspec
import numpy as np
import numpy.typing as npt

from haenyeo.model.pages import Link
from haenyeo.words.korean import when_chosen
from haenyeo.words.stopwords import says_something
from haenyeo.words.tokens import stem, words

Ids = npt.NDArray[np.int32]
Numbers = npt.NDArray[np.float32]

TABLE = 1 << 18
"""Places for features; 0 is left to words that say nothing."""

_MOST_WORDS_KNOWN = 1 << 19
_LONGEST_ANCHOR = 12  # words
_LONGEST_PAGE = 2500  # words: what a page is about shows before that
_GRAM = 4
_IN_TITLE = 0x2AAAA  # turns a word's place into that of the same word in a title
AROUND = 0x15A5A
"""Turns a word's place into that of the same word beside a link."""
_DIGITS = re.compile(r"[0-9]")
_PARTS = re.compile(r"[^\W\d_]+|0+")
_LETTERS = re.compile(r"[^\W\d_]+")
_UPPER = re.compile(r"[A-Z]+")
_LOWER = re.compile(r"[a-z]+")
_LONGEST_SPELLING = 4  # words
_LONGEST_SPELLED_WORD = 6


def place(feature: str) -> int:
    """Where a feature is in the table."""
    return crc32(feature.encode()) % (TABLE - 1) + 1


class WordIds(dict[str, int]):
    """The places of words, found once per word; inflections of a word share one, stop words have 0."""

    def __missing__(self, word: str) -> int:
        if len(self) > _MOST_WORDS_KNOWN:
            self.clear()
        self[word] = found = place(stem(word)) if says_something(word) else 0
        return found

    def of(self, text: str) -> list[int]:
        """The places of a text's words in order, without stop words."""
        return [number for number in map(self.__getitem__, words(text)) if number]


WORD_IDS = WordIds()
"""Shared by all topics: a word's place does not depend on the crawl."""
when_chosen(WORD_IDS.clear)


class PageWords(msgspec.Struct, frozen=True):
    """The words of a page: places in the table, and a weight that grows with the logarithm of how often each occurs.

    A word of the title is there twice: once as a word like others, once as a word of a title.
    """

    ids: Ids
    weights: Numbers

    @classmethod
    def of(cls, title: str, text: str) -> PageWords:
        """The words of a page; those of the title count as if they were said twice more."""
        heading = WORD_IDS.of(title)
        body = WORD_IDS.of(text[: _LONGEST_PAGE * 8])[:_LONGEST_PAGE]
        ids, counts = np.unique(np.array([*heading, *heading, *body], np.int32), return_counts=True)
        titled = np.unique(np.array(heading, np.int32)) ^ _IN_TITLE
        weights = np.concatenate([1 + np.log(counts), np.ones(len(titled))])
        return cls(np.concatenate([ids, titled]), weights.astype(np.float32))


class LinkWords(msgspec.Struct, frozen=True, gc=False):
    """One link's features: words of its anchor, words around it, pieces of its anchor."""

    anchor: list[int]
    around: list[int]
    pieces: list[int]


def link_words(link: Link) -> LinkWords:
    """The features of a link on its page; what only its address tells is left to `address_features`."""
    anchor = words(link.anchor)[:_LONGEST_ANCHOR]
    known = [number for number in map(WORD_IDS.__getitem__, anchor) if number]
    return LinkWords(known, WORD_IDS.of(link.before) + WORD_IDS.of(link.after), _pieces(anchor))


def _pieces(anchor: Sequence[str]) -> list[int]:
    """Runs of four characters, neighbouring words, and the number of words."""
    text = _DIGITS.sub("0", " ".join(anchor))
    grams = {text[at : at + _GRAM] for at in range(len(text) - _GRAM + 1)}
    pairs = (f"{first}_{second}" for first, second in pairwise(anchor))
    return [place(f"~{gram}") for gram in (*grams, *pairs, str(len(anchor)))]


class PageShape(msgspec.Struct, frozen=True):
    """What the links of one page have in common: its address, their number, and how many stand at each place."""

    url: str
    links: int
    at_place: dict[str, int]


def shape_features(link: Link, page: PageShape) -> list[int]:
    """How a link looks, whatever its words: how its anchor is spelled, where and among how many others it stands.

    Names of people, numbers of courses, entries of a long list can be told that way.
    """
    spelled = " ".join(_spelling(word) for word in link.anchor.split()[:_LONGEST_SPELLING])
    tail = ">".join(link.path.rsplit(">", 2)[-2:])
    beside = page.at_place[link.path].bit_length()
    features = (
        f"spelled {spelled}",
        f"first {spelled[:1]}{link.anchor[:1].isdigit()}",
        f"at {tail}",
        f"beside {beside}",
        f"of {page.links.bit_length()}",
        f"at {tail.rpartition('>')[2]} {beside}",
        f"towards {_direction(page.url, link.url)}",
    )
    return [place(f"#{feature}") for feature in features]


def _spelling(word: str) -> str:
    """Such as A. for an initial, Aa for a name, AA00 for the number of a course."""
    if word.islower():
        return "a"
    return _DIGITS.sub("0", _LOWER.sub("a", _UPPER.sub("A", word)))[:_LONGEST_SPELLED_WORD]


def _direction(source: str, target: str) -> str:
    """Where a link leads, seen from the page it stands on."""
    here, there = urlsplit(source), urlsplit(target)
    if here.netloc != there.netloc:
        return "elsewhere"
    folder, other = here.path.rpartition("/")[0], there.path.rpartition("/")[0]
    if folder == other:
        return "beside"
    if other.startswith(folder):
        return f"down {min(other.count('/') - folder.count('/'), 2)}"
    return "up" if folder.startswith(other) else "across"


def address_features(url: str) -> list[int]:
    """What an address says about the page behind it: its host, its folders, its words, and its shape."""
    parts = urlsplit(url)
    path = unquote(unquote(parts.path)).lower()
    steps = [_DIGITS.sub("0", step) for step in path.split("/") if step]
    return [place(f"/{feature}") for feature in set(_address_features(parts.netloc.lower(), path, steps))]


def _address_features(host: str, path: str, steps: list[str]) -> Iterable[str]:
    folders = steps if path.endswith("/") else steps[:-1]
    yield f"host {host}"
    yield f"folder {host}/{'/'.join(folders)}"
    yield f"top {host}/{steps[0] if len(steps) > 1 else ''}"
    yield f"depth {len(steps)}"
    yield f"shape {'/'.join(map(_shape, steps))}{path[-1:] == '/'}"
    yield f"kind {steps[-1].rpartition('.')[2] if steps and '.' in steps[-1] else ''}"
    for step in steps:
        yield f"step {step}"
        yield from _PARTS.findall(step)


def _shape(step: str) -> str:
    """Such as ~a for a home folder, a0.a for a numbered page."""
    return _LETTERS.sub("a", step).replace("00", "0").replace("00", "0")
