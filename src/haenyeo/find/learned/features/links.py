"""What does a link look like on its page? Its words and their pieces, where it stands, and the words around it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise

import msgspec
import numpy as np
import numpy.typing as npt

from haenyeo.find.learned.features.words import WORD_IDS, Ids, place, reader_of_words
from haenyeo.html.page_links import PageLinks
from haenyeo.model.pages import Link
from haenyeo.words.tokens import words

Rows = npt.NDArray[np.int64]

ANCHOR, PIECES, SHAPE, AROUND = range(4)
"""Kinds of features: words, runs of characters and pairs of words, how and where the link stands, words beside it."""

LINK_KINDS = 4

_LONGEST_ANCHOR = 12  # words
_ANCHOR_ROOM = 200  # characters
_AROUND_ROOM = 400
_GRAM = 4
_LONGEST_SPELLING = 4  # words
_LONGEST_SPELLED_WORD = 6
_DIGITS = re.compile(r"[0-9]")
_UPPER = re.compile(r"[A-Z]+")
_LOWER = re.compile(r"[a-z]+")


class LinkFeatures(msgspec.Struct, frozen=True):
    """The features of a page's links, link after link and kind after kind; `ends` has a row a link, a column a kind.

    `group` numbers the places of the page: links with one path are at one place.
    """

    flat: Ids
    ends: npt.NDArray[np.int32]
    group: npt.NDArray[np.int32]
    groups: int


def link_features(url: str, links: Sequence[Link | None], paths: Sequence[str]) -> LinkFeatures:
    """The features of the links of the page at an address; those of the addresses they lead to are not among them.

    A link that is None has no features, but as all others a place, given by its path.
    """
    compiled = reader_of_words()
    if compiled is None:
        return link_features_in_python(url, links, paths)
    return _features_of(*compiled.link_features(url, list(links), list(paths)))


def features_on_page(url: str, links: PageLinks, places: Rows) -> LinkFeatures:
    """The features of the links at these places, which ascend, of the page at an address; the others have none.

    Read where they stand in the page's text, if there is compiled code for it.
    """
    compiled = reader_of_words()
    spans = links.spans(places.tolist()) if compiled is not None else None
    if compiled is None or spans is None:
        return features_on_page_in_python(url, links, places)
    found = compiled.features_on_page(url, links.page_text, links.blocks, links.outlinks, places, spans)
    return _features_of(*found)


def features_on_page_in_python(url: str, links: PageLinks, places: Rows) -> LinkFeatures:
    """The same by way of the links' strings, without compiled code."""
    some: list[Link | None] = [None] * len(links)
    for place_, link in zip(places.tolist(), links.some(places.tolist()), strict=True):
        some[place_] = link
    return link_features_in_python(url, some, links.paths)


def _features_of(flat: bytes, ends: bytes, group: bytes, groups: int) -> LinkFeatures:
    shaped = np.frombuffer(ends, np.int32).reshape(-1, LINK_KINDS)
    return LinkFeatures(np.frombuffer(flat, np.int32), shaped, np.frombuffer(group, np.int32), groups)


def link_features_in_python(url: str, links: Sequence[Link | None], paths: Sequence[str]) -> LinkFeatures:
    """The same without compiled code."""
    at_place = Counter(paths)
    numbers = {path: number for number, path in enumerate(at_place)}
    page = _SourcePage(url, len(paths), at_place)
    lists = [ids for link in links for ids in (_features(link, page) if link else [[]] * LINK_KINDS)]
    ends = np.array(list(accumulate(map(len, lists))), np.int32).reshape(-1, LINK_KINDS)
    group = np.array([numbers[path] for path in paths], np.int32)
    return LinkFeatures(np.array([id_ for ids in lists for id_ in ids], np.int32), ends, group, len(numbers))


class _SourcePage(msgspec.Struct, frozen=True):
    """What the links of one page have in common: its address, their number, and how many stand at each place."""

    url: str
    links: int
    at_place: Counter[str]


def _features(link: Link, page: _SourcePage) -> Iterable[list[int]]:
    anchor = words(link.anchor[:_ANCHOR_ROOM])[:_LONGEST_ANCHOR]
    yield [number for number in map(WORD_IDS.__getitem__, anchor) if number]
    yield _pieces(anchor)
    yield _shape(link, page)
    yield WORD_IDS.of(link.before[-_AROUND_ROOM:]) + WORD_IDS.of(link.after[:_AROUND_ROOM])


def _pieces(anchor: Sequence[str]) -> list[int]:
    """Runs of four characters, neighbouring words, and the number of words."""
    text = _DIGITS.sub("0", " ".join(anchor))
    grams = dict.fromkeys(place(f"~{text[at : at + _GRAM]}") for at in range(len(text) - _GRAM + 1))
    pairs = (place(f"~{first}_{second}") for first, second in pairwise(anchor))
    return [*grams, *pairs, place(f"~{len(anchor)}")]


def _shape(link: Link, page: _SourcePage) -> list[int]:
    """How a link looks, whatever its words: how its anchor is spelled, where and among how many others it stands.

    Names of people, numbers of courses, entries of a long list can be told that way.
    """
    spelled = " ".join(_spelling(word) for word in link.anchor[:_ANCHOR_ROOM].split()[:_LONGEST_SPELLING])
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
    (here, folder), (there, other) = _host_and_folder(source), _host_and_folder(target)
    if here != there:
        return "elsewhere"
    if folder == other:
        return "beside"
    if other.startswith(folder):
        return f"down {min(other.count('/') - folder.count('/'), 2)}"
    return "up" if folder.startswith(other) else "across"


def _host_and_folder(url: str) -> tuple[str, str]:
    front = re.split(r"[?#]", url.partition("://")[2], maxsplit=1)[0]
    host, slash, path = front.partition("/")
    return host, f"{slash}{path}".rpartition("/")[0]
