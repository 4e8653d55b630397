"""Which of the topic's words does a text have? Each counts once, however rare it is and however often it stands there.

A Korean word of two syllables and more counts if all its pairs of syllables occur: compounds are written with blanks or
without, and particles hang on them.
"""

from __future__ import annotations

import re

import numpy as np

from haenyeo.find.learned.features.words import WORD_IDS, Ids, word_ids
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
        self._places = [WORD_IDS[word] for word in whole]
        self.asked: Ids = np.array(sorted(set(WORD_IDS.of(topic))), np.int32)
        """The places of all words of the topic."""

    def __len__(self) -> int:
        return len(self._pairs) + len(self._places)

    def asks_for(self, word: str) -> bool:
        """Whether this is one of the topic's words, or an inflection of one."""
        return bool(word) and WORD_IDS[word.lower()] in self.asked

    def share_in(self, text: str, ids: Ids | None = None) -> float:
        """The share of the words that occur in a text, the places of whose words are `ids` if they are known."""
        if not text or not len(self):
            return 0.0
        text = text[:_LONGEST]
        found = 0
        if self._pairs:
            found += sum(all(pair in text for pair in pairs) for pairs in self._pairs)
        if self._places:
            said = set((word_ids(text) if ids is None else ids).tolist())
            found += sum(place in said for place in self._places)
        return found / len(self)
