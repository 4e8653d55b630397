"""A text as words, and the form under which a word meets its relatives.

Latin words lose plural and verb endings; Korean words lose their particles and endings (see `korean`); Chinese and
Japanese, which put no blanks between words, become overlapping pairs of characters. Digits become zeros, so that
`CS 611` and `CS 540` meet as `cs 000`.
"""

from __future__ import annotations

import functools
import re

from haenyeo.words import korean

_WORD = re.compile(r"[a-z\u00df-\u024f]+|[0-9]+|[\uac00-\ud7a3]+|[\u3040-\u30ff\u3400-\u9fff]+|[\u0370-\u1fff]+")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_LONGEST_NUMBER = 4  # a year; longer numbers are all alike

_SHORTEST_SINGULAR = 3
_SHORTEST_VERB = 4


def words(text: str) -> list[str]:
    """The words of a text in order, in lower case."""
    found: list[str] = _WORD.findall(text.lower())
    if not _UNSPACED.search(text):
        return found
    return [pair for word in found for pair in (_pairs(word) if _UNSPACED.match(word) else (word,))]


@functools.lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """The form of a lower-case word that its inflections share.

    >>> [stem(word) for word in ("batteries", "planned", "함수를", "시트에서는", "1996")]
    ['battery', 'plan', '함수', '시트', '0000']
    """
    first = word[0]
    if "0" <= first <= "9":
        return "0" * min(len(word), _LONGEST_NUMBER)
    if "\uac00" <= first <= "\ud7a3":
        return korean.root(word)
    return _without_verb_ending(_singular(word))


korean.when_chosen(stem.cache_clear)


def _pairs(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(len(run) - 1)] or [run]


def _singular(word: str) -> str:
    for ending, instead in (("sses", "ss"), ("ies", "y"), ("ss", "ss"), ("us", "us"), ("s", "")):
        if word.endswith(ending):
            shorter = word.removesuffix(ending) + instead
            return shorter if len(shorter) >= _SHORTEST_SINGULAR else word
    return word


def _without_verb_ending(word: str) -> str:
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_VERB:
            word = word.removesuffix(ending)
            doubled = word[-1] == word[-2] and word[-1] not in "lsz"
            return word[:-1] if doubled else word
    return word
