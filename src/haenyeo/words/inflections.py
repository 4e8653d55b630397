"""The form that the inflections of a word share in its language, for languages whose words end in many ways.

Those of Snowball (M. F. Porter, 2001). English and Korean words have forms of their own in `tokens`, which serve pages
of any language.
"""

from __future__ import annotations

import functools
from typing import Protocol

_NAMES = {
    "ar": "arabic",
    "hy": "armenian",
    "eu": "basque",
    "ca": "catalan",
    "cs": "czech",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "eo": "esperanto",
    "es": "spanish",
    "et": "estonian",
    "fi": "finnish",
    "fr": "french",
    "ga": "irish",
    "hi": "hindi",
    "hu": "hungarian",
    "id": "indonesian",
    "it": "italian",
    "lt": "lithuanian",
    "ne": "nepali",
    "nl": "dutch",
    "no": "norwegian",
    "pl": "polish",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sr": "serbian",
    "sv": "swedish",
    "ta": "tamil",
    "tr": "turkish",
}
_WORDS_REMEMBERED = 1 << 14


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...  # noqa: N802 - the library's name


def inflects(language: str) -> bool:
    """Whether the inflections of words in this language (ISO 639-1) are known."""
    return language in _NAMES


@functools.lru_cache(maxsize=_WORDS_REMEMBERED)
def root_in(language: str, word: str) -> str:
    """What the inflections of a lower-case word share in a language that inflects.

    >>> [root_in("de", word) for word in ("zellen", "zelle")] + [root_in("ru", "ячейки")]
    ['zell', 'zell', 'ячейк']
    """
    return _stemmer(language).stemWord(word)


@functools.cache
def _stemmer(language: str) -> _Stemmer:
    import snowballstemmer

    made: _Stemmer = snowballstemmer.stemmer(_NAMES[language])
    return made
