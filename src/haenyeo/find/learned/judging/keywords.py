"""Which of the topic's words does a text have? Each counts once, however rare it is and however often it stands there.

A Korean word of two syllables and more counts if all its pairs of syllables occur: compounds are written with blanks or
without, and particles hang on them. So does a Japanese one, which ends where the script changes. On pages in other
languages that inflect a word counts in any form it takes there.
"""

from __future__ import annotations

import re
from itertools import takewhile
from operator import add, eq

import numpy as np

from haenyeo.find.learned.features.words import WORD_IDS, Ids, mentions
from haenyeo.words.inflections import inflects, root_in
from haenyeo.words.stopwords import says_something
from haenyeo.words.tokens import stem, words

_HANGUL = re.compile("[\uac00-\ud7a3]")
_KANA = re.compile("[\u3041-\u3096\u30a1-\u30fa]")
_JAPANESE = re.compile("[\u3041-\u3096\u30a1-\u30fa\u30fc\u3005\u3400-\u9fff]+")
_OF_ONE_SCRIPT = re.compile("[\u30a1-\u30fa\u30fc]+|[\u3005\u3400-\u9fff]+|[\u3041-\u3096]{3,}")
"""Of the words of a Japanese phrase; two syllables of hiragana and less are particles and endings."""
_LONGEST = 20_000  # characters of a text that are looked at: a longer one mentions everything somewhere


class Keywords:
    """The different words of a topic, inflections counted as one."""

    def __init__(self, topic: str) -> None:
        self._japanese = _japanese_words(topic.lower())
        said = [word for word in words(_JAPANESE.sub(" ", topic) if self._japanese else topic) if says_something(word)]
        forms = {stem(word): word for word in reversed(said)}
        stems = list(dict.fromkeys(map(stem, said)))
        paired = [word for word in stems if len(word) > 1 and _HANGUL.match(word)]
        self._pairs = [_pairs(word) for word in (*paired, *self._japanese)]
        whole = [word for word in stems if word not in paired]
        self._whole = [forms[word] for word in whole]
        self._places: Ids = np.array([WORD_IDS[word] for word in whole], np.int32)
        self._roots: dict[str, list[_Root]] = {}
        self.asked: Ids = np.array(sorted(set(WORD_IDS.of(topic))), np.int32)
        """The places of all words of the topic."""

    def __len__(self) -> int:
        return len(self._pairs) + len(self._places)

    def asks_for(self, word: str) -> bool:
        """Whether this is one of the topic's words, or an inflection of one."""
        return bool(word) and WORD_IDS[word.lower()] in self.asked

    def shares_in(self, main: str, ids: Ids, others: tuple[str, ...] = (), language: str = "") -> tuple[float, ...]:
        """The share of the words that occur in a text, the places of whose words are `ids`, and in each of others.

        All are of a page in this language.
        """
        texts = (main[:_LONGEST], *(text[:_LONGEST] for text in others))
        if not len(self):
            return (0.0,) * len(texts)
        if inflects(language):
            found = tuple(self._inflected_in(text.lower(), language) for text in texts)
        else:
            found = mentions(ids if main else ids[:0], texts[1:], self._places)
        if self._pairs:
            found = tuple(map(add, found, map(self._pairs_in, texts)))
        return tuple(count / len(self) for count in found)

    def _pairs_in(self, text: str) -> int:
        return sum(all(pair in text for pair in pairs) for pairs in self._pairs)

    def _inflected_in(self, text: str, language: str) -> int:
        if language not in self._roots:
            self._roots[language] = [_Root(word, language) for word in self._whole]
        return sum(root.is_in(text) for root in self._roots[language])


class _Root:
    """A word in any form it takes in a language."""

    def __init__(self, word: str, language: str) -> None:
        self._language, self._root = language, root_in(language, word)
        shared = sum(1 for _ in takewhile(bool, map(eq, word, self._root)))
        self._likely = re.compile(rf"(?<!\w){re.escape(word[:shared] or word)}\w*")

    def is_in(self, text: str) -> bool:
        """Whether a text in lower case has the word."""
        return any(root_in(self._language, word) == self._root for word in set(self._likely.findall(text)))


def _japanese_words(topic: str) -> list[str]:
    """The Japanese words of a topic; none if nothing in it tells that it is Japanese."""
    if not _KANA.search(topic):
        return []
    return list(dict.fromkeys(word for run in _JAPANESE.findall(topic) for word in _OF_ONE_SCRIPT.findall(run)))


def _pairs(word: str) -> list[str]:
    return [word[at : at + 2] for at in range(len(word) - 1)] or [word]
