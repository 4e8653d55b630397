"""Words as numbers: every feature is hashed into one table of fixed size.

Nothing need be known beforehand and nothing grows with the crawl. That two features fall together is rare enough not
to matter: of those a crawl meets some ten thousand say anything, and the table has room for 262,144.
"""

from __future__ import annotations

from collections import Counter
from types import ModuleType
from zlib import crc32

import msgspec
import numpy as np
import numpy.typing as npt

from haenyeo import native
from haenyeo.words.korean import PARTICLES, by_list, when_chosen
from haenyeo.words.stopwords import STOP_WORDS, says_something
from haenyeo.words.tokens import stem, words

COMPILED = native.load("features")


def configure(compiled: ModuleType) -> None:
    """Tell compiled code which words say nothing and how Korean ones end."""
    compiled.use_words(sorted(STOP_WORDS), list(PARTICLES))


if COMPILED is not None:
    configure(COMPILED)


def reader_of_words() -> ModuleType | None:
    """The compiled code that reads words as the words part does now; None where there is none."""
    return COMPILED if by_list() else None


Ids = npt.NDArray[np.int32]
Numbers = npt.NDArray[np.float32]

TABLE = 1 << 18
"""Places for features; 0 is left to words that say nothing."""

_MOST_WORDS_KNOWN = 1 << 19
_LONGEST_PAGE = 1250  # words: what a page is about shows before that
_TITLE_ROOM = 1000  # characters
_IN_TITLE = 0x2AAAA  # turns a word's place into that of the same word in a title


def place(feature: str) -> int:
    """Where a feature is in the table."""
    return crc32(feature.encode("utf-8", "surrogatepass")) % (TABLE - 1) + 1


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


def word_ids(text: str) -> Ids:
    """The places of a text's words in order, without stop words."""
    compiled = reader_of_words()
    return word_ids_in_python(text) if compiled is None else np.frombuffer(compiled.word_ids(text), np.int32)


def word_ids_in_python(text: str) -> Ids:
    """The same as `word_ids`, without compiled code."""
    return np.array(WORD_IDS.of(text), np.int32)


def mentions(ids: Ids, texts: tuple[str, ...], places: Ids) -> tuple[int, ...]:
    """How many of some places are among ids, and among those of the words of each text."""
    compiled = reader_of_words()
    if compiled is None:
        return mentions_in_python(ids, texts, places)
    found: tuple[int, ...] = compiled.mentions(ids, texts, places)
    return found


def mentions_in_python(ids: Ids, texts: tuple[str, ...], places: Ids) -> tuple[int, ...]:
    """The same without compiled code."""
    wanted = places.tolist()
    return tuple(sum(map(set(said).__contains__, wanted)) for said in (ids.tolist(), *map(WORD_IDS.of, texts)))


class PageWords(msgspec.Struct, frozen=True):
    """The words of a page: places in the table, and a weight that grows with the logarithm of how often each occurs.

    A word of the title is there twice: once as a word like others, once as a word of a title.
    """

    ids: Ids
    weights: Numbers

    @classmethod
    def of(cls, title: str, text: str) -> PageWords:
        """The words of a page; those of the title count as if they were said twice more."""
        compiled = reader_of_words()
        if compiled is None:
            return page_words_in_python(title, text)
        ids, weights = compiled.page_words(title, text)
        return cls(np.frombuffer(ids, np.int32), np.frombuffer(weights, np.float32))


def page_words_in_python(title: str, text: str) -> PageWords:
    """The same without compiled code."""
    ids, counts, titled = _counted(title, text)
    weights = np.ones(len(ids) + titled, np.float32)
    weights[: len(ids)] += np.log(counts)
    return PageWords(np.concatenate([ids, ids[:titled] ^ _IN_TITLE]), weights)


def _counted(title: str, text: str) -> tuple[Ids, Ids, int]:
    """The different words of a page, those of the title first, how often each occurs, and how many the title has."""
    heading = WORD_IDS.of(title[:_TITLE_ROOM])
    counts = Counter([*heading, *heading, *WORD_IDS.of(text[: _LONGEST_PAGE * 8])[:_LONGEST_PAGE]])
    return np.array(list(counts), np.int32), np.array(list(counts.values()), np.int32), len(set(heading))
