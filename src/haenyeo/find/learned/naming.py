"""Does a link name the topic? Counts the topic's words in its text, beside it, and in the address it leads to.

The user chose these words, so each counts alike, however rare it is. A page has the most that one link to it has: of
many links to a page most are navigation, and one that says what the page is about is enough. That the user began with a
page that links to it is noted beside: he chose it for what it leads to.

And which pages do lists name beside examples? Who likes three pages of a list most likely means the others as well. How
much that says hangs on how select the list is: a menu names every page, so that examples stand in it as surely as any
other. The evidence is the logarithm of how many times more often an example stands in the list than any page that is
known, fetched or not; one more example, taken to be like all pages, keeps few of them from saying too much.
"""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import unquote

import numpy as np

from haenyeo import native
from haenyeo.find.learned.columns import Column, Numbers
from haenyeo.find.learned.features import TABLE, WORD_IDS
from haenyeo.find.learned.features.links import ANCHOR, AROUND
from haenyeo.find.learned.memory import Floats, Indexes, LinkMemory
from haenyeo.words.stopwords import says_something
from haenyeo.words.tokens import stem, words

COMPILED = native.load("weighing")

COLUMNS = 4
"""What is noted of a page: words in the text of a link, beside it, in the address; whether a start links to it."""

_MOST = (3, 4, 2, 1)  # words; more do not make a link more promising
_SHORTEST, _LONGEST = 3, 5  # letters of a Latin word by which it is looked for in addresses, whatever its ending
_ADDRESS_ROOM = 500  # characters


class Naming:
    """Keeps, for each page of a `LinkMemory`, how many of the topic's `words` the best links to it name."""

    def __init__(self, *, words: str = "") -> None:
        self.words = words
        self.best = Column(np.float32, (COLUMNS,))
        """A row a page; whoever adds or forgets pages keeps it as long as the memory."""
        self._asked = np.zeros(TABLE, np.bool_)
        self._asked[WORD_IDS.of(words)] = True
        self._spelled = _spelled(words)

    def note(self, memory: LinkMemory, first: int, urls: Sequence[str], known: int, *, start: bool = False) -> None:
        """Count the words of the links from the link `first` on, which lead to these addresses, for the pages there.

        The pages from the number `known` on were met for the first time. `start` says that the crawl began with the
        page the links stand on.
        """
        self._note_links(memory, first)
        target = memory.target[first:]
        if start:
            self._raise(3, target, np.ones(len(target), np.int32))
        if memory.pages > known:
            new = np.flatnonzero(target >= known)
            self._raise(2, target[new], np.array([self._in_address(urls[place]) for place in new.tolist()], np.int32))

    def _note_links(self, memory: LinkMemory, first: int) -> None:
        if COMPILED is None:
            self.note_links_in_python(memory, first)
        else:
            COMPILED.note_names(memory.features.arrays, first, self._asked, *_MOST[:2], self.best.values)

    def note_links_in_python(self, memory: LinkMemory, first: int) -> None:
        """Count the words in the links from the link `first` on and beside them, without compiled code."""
        lists = memory.on_pages
        target, ends = memory.target[first:], lists.ends[first:]
        begin = int(lists.ends[first - 1, -1]) if first else 0
        running = np.zeros(len(lists.flat) - begin + 1, np.int32)
        np.cumsum(self._asked[lists.flat[begin:]], out=running[1:])
        before = np.concatenate([running[:1], running[ends[:, -1] - begin]])[:-1]
        upto = running[ends - begin]
        self._raise(0, target, upto[:, ANCHOR] - before)
        self._raise(1, target, upto[:, AROUND] - upto[:, AROUND - 1])

    def _in_address(self, url: str) -> int:
        path = _path_of(url)
        return sum([word in path for word in self._spelled])

    def _raise(self, column: int, pages: Indexes, counts: Numbers) -> None:
        named = np.flatnonzero(counts)
        if not len(named):
            return
        np.maximum.at(self.best.values[:, column], pages[named], counts[named].clip(max=_MOST[column]))


def beside_examples(memory: LinkMemory) -> Floats:
    """What the lists say of each page they name beside examples, in log-odds: the most that one says, 0 or more."""
    found = np.zeros(memory.pages)
    liked = memory.given & (memory.relevance == 1)
    naming = np.flatnonzero(liked[memory.target] & memory.followed[memory.source])
    if not len(naming):
        return found
    named = np.unique(memory.group[naming] * memory.pages + memory.target[naming]) // memory.pages
    examples = np.bincount(named, minlength=memory.groups)
    usual = np.minimum((np.bincount(memory.group, minlength=memory.groups) + 1) / (memory.pages + 2), 1)
    told = np.log((examples + usual) / (np.count_nonzero(liked) + 1) / usual)
    rows = np.flatnonzero(examples[memory.group])
    np.maximum.at(found, memory.target[rows], told[memory.group[rows]])
    return found


def _spelled(text: str) -> tuple[str, ...]:
    """The beginnings of the topic's words that are looked for in addresses."""
    stems = {stem(word) for word in words(text) if says_something(word)}
    latin = {word[:_LONGEST] for word in stems if word.isascii() and len(word) >= _SHORTEST}
    return tuple(sorted(latin | {word for word in stems if not word.isascii()}))


def _path_of(url: str) -> str:
    path = url.partition("://")[2].partition("/")[2][:_ADDRESS_ROOM]
    return (unquote(path) if "%" in path else path).lower()
