"""A text as words, and the form under which a word meets its relatives.

Latin words lose plural and verb endings; Korean words lose their particles and endings, by a list and without a
dictionary; Chinese and Japanese, which put no blanks between words, become overlapping pairs of characters. Digits
become zeros, so that `CS 611` and `CS 540` meet as `cs 000`.
"""

from __future__ import annotations

import functools
import re

_WORD = re.compile(r"[a-z\u00df-\u024f]+|[0-9]+|[\uac00-\ud7a3]+|[\u3040-\u30ff\u3400-\u9fff]+|[\u0370-\u1fff]+")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_LONGEST_NUMBER = 4  # a year; longer numbers are all alike

_PARTICLES = """
은 는 이 가 을 를 의 에 에서 에게 에는 에서는 에서의 으로 로 으로는 로는 으로의 로의 으로서 로서 으로써 로써 와 과 도 만
까지 부터 보다 처럼 이나 나 이란 란 이라 라 인 이다 다 이면 면 이며 며 이고 고 이지만 들 들을 들이 들은 들의 때문에
하는 하여 하고 하면 한 할 해 하기 하려면 하지만 합니다 합니다만 하십시오 된 되는 되어 될 됩니다 시킵니다
입니다 습니다 니다 십시오 있는 없는
"""
_LONGEST_FIRST = sorted(_PARTICLES.split(), key=len, reverse=True)
_SHORTEST_SINGULAR = 3
_SHORTEST_VERB = 4
_MOST_PARTICLES = 2  # one behind the other, as in 에서 + 는


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
        return _without_particles(word)
    return _without_verb_ending(_singular(word))


def _pairs(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(len(run) - 1)] or [run]


def _without_particles(word: str) -> str:
    for _ in range(_MOST_PARTICLES):
        particle = next((end for end in _LONGEST_FIRST if _is_particle_of(word, end)), "")
        if not particle:
            break
        word = word.removesuffix(particle)
    return word


def _is_particle_of(word: str, ending: str) -> bool:
    """A single syllable is a particle only when two stay: 나이 is a word of its own."""
    return word.endswith(ending) and len(word) - len(ending) >= (2 if len(ending) == 1 else 1)


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
