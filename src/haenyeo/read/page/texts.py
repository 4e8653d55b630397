"""What the texts of blocks are by themselves: how long, how made, and which."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from types import ModuleType
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import xxhash

from haenyeo import native

COMPILED = native.load("reading")

Floats = npt.NDArray[np.float32]
Bools = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.intp]
Keys = npt.NDArray[np.uint64]

_SHORT = 60  # characters of a text in which numbers are likely to be dates and counters
_OPENING = 4  # characters of the first word
_FACTOR = 0x9E3779B1
# Compiled when first needed, which takes longer than all else here: only where there is no kernel.
_UNSPACED = r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]"
_NUMBER = re.compile(r"\d+")
# Escaped: the closing marks of sentences and quotations that look like other signs.
# One set of signs comes first, for that is what the search is quick at.
_SENTENCE_END = "[.!?\u2026\u3002\uff01\uff1f](?:(?<=[\u3002\uff01\uff1f])|[\"\u201d\u2019')\\]]?(?:\\s|$))"
_CLOSING = frozenset('.!?":\u2026\u201d\u2019\u3002\uff01\uff1f')


class Measures(NamedTuple):
    """Texts in numbers, one of each for each text.

    `keys` tell the texts apart across pages, `openings` how they begin; `sentences` counts those that end, `closed`
    is 1 if the text does not break off, `capitals` if it is all capitals or written as a title, `numeric` if it begins
    and ends with a digit.
    """

    keys: Keys
    openings: npt.NDArray[np.uint16]
    characters: Floats
    words: Floats
    sentences: Floats
    closed: Floats
    capitals: Floats
    numeric: Floats


def measure(texts: list[str]) -> Measures:
    """The texts in numbers."""
    if COMPILED is None:
        return measure_in_python(texts)
    keys, openings = np.empty(len(texts), np.uint64), np.empty(len(texts), np.uint16)
    numbers = np.empty((6, len(texts)), np.float32)
    COMPILED.measure(texts, keys, openings, numbers)
    return Measures(keys, openings, *numbers)


def measure_in_python(texts: list[str]) -> Measures:
    """The same as `measure`, without compiled code."""
    return Measures(
        np.array([text_key(text) for text in texts], np.uint64),
        np.array([opening_key(text) for text in texts], np.uint16),
        np.array([len(text) for text in texts], np.float32),
        np.array([count_words(text) for text in texts], np.float32),
        _sentences(texts),
        np.array([text[-1:] in _CLOSING for text in texts], np.float32),
        np.array([text.istitle() or text.isupper() for text in texts], np.float32),
        np.array([text[:1].isdigit() and text[-1:].isdigit() for text in texts], np.float32),
    )


def count_words(text: str) -> int:
    """The words of a text; a character of Chinese or Japanese is a word of its own."""
    blanks = text.count(" ") + text.count("\n") + 1
    return blanks if text.isascii() else blanks + len(re.findall(_UNSPACED, text))


def text_key(text: str) -> int:
    """A number that equal texts share, and short texts that differ in their numbers only."""
    if len(text) < _SHORT and not text.isalpha():
        text = _NUMBER.sub("0", text)
    return xxhash.xxh3_64_intdigest(text.encode("utf-8", "surrogatepass"))


def opening_key(text: str) -> int:
    """A number that texts share whose first words begin alike, as in lines that say what they are: `By`, `작성자:`."""
    return _key_of(text[:_OPENING])


@functools.lru_cache(maxsize=1 << 13)
def _key_of(opening: str) -> int:
    """The number of the first letters of a text; there are far fewer of these than texts."""
    key = 0
    for letter in _NUMBER.sub("0", opening).partition(" ")[0]:
        key = (key + ord(letter)) * _FACTOR & 0xFFFFFFFF
    return key >> 16


def _sentences(texts: Sequence[str]) -> Floats:
    """How many sentences end in each text; looked for in all of them at once."""
    bounds = np.cumsum([len(text) + 1 for text in texts])
    ends = [found.start() for found in re.finditer(_SENTENCE_END, "\n".join(texts))]
    return np.bincount(np.searchsorted(bounds, ends, side="right"), minlength=len(texts)).astype(np.float32)


def configure(compiled: ModuleType) -> None:
    """Tell compiled code whom to ask for keys."""
    compiled.configure_texts(xxhash.xxh3_64_intdigest, text_key)


if COMPILED is not None:
    configure(COMPILED)
