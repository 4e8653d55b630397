"""Which of the topic's words does a text have? Each counts once, however rare it is and however often it stands there.

A Korean word of two syllables and more counts if all its pairs of syllables occur: compounds are written with blanks or
without, and particles hang on them.
"""

from __future__ import annotations

import re
from operator import add

import numpy as np

from haenyeo.find.learned.features.words import WORD_IDS, Ids, mentions
from haenyeo.words.stopwords import says_something
from haenyeo.words.tokens import stem, words

_HANGUL = re.compile("[\uac00-\ud7a3]")
_LONGEST = 20_000  # characters of a text that are looked at: a longer one mentions everything somewhere


class Keywords:
    """The different words of a topic, inflections counted as one."""

    def __init__(self, topic: str) -> None:
        stems = list(dict.fromkeys(stem(word) for word in words(topic) if says_something(word)))
        paired = [word for word in stems if len(word) > 1 and _HANGUL.match(word)]
        self._pairs = [[word[at : at + 2] for at in range(len(word) - 1)] for word in paired]
        whole = [word for word in stems if word not in paired]
        self._places: Ids = np.array([WORD_IDS[word] for word in whole], np.int32)
        self.asked: Ids = np.array(sorted(set(WORD_IDS.of(topic))), np.int32)
        """The places of all words of the topic."""

    def __len__(self) -> int:
        return len(self._pairs) + len(self._places)

    def asks_for(self, word: str) -> bool:
        """Whether this is one of the topic's words, or an inflection of one."""
        return bool(word) and WORD_IDS[word.lower()] in self.asked

    def shares_in(self, main: str, ids: Ids, others: tuple[str, ...] = ()) -> tuple[float, ...]:
        """The share of the words that occur in a text, the places of whose words are `ids`, and in each of others."""
        texts = (main[:_LONGEST], *(text[:_LONGEST] for text in others))
        if not len(self):
            return (0.0,) * len(texts)
        found = mentions(ids if main else ids[:0], texts[1:], self._places)
        if self._pairs:
            found = tuple(map(add, found, map(self._pairs_in, texts)))
        return tuple(count / len(self) for count in found)

    def _pairs_in(self, text: str) -> int:
        return sum(all(pair in text for pair in pairs) for pairs in self._pairs)
