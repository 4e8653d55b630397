"""What the texts of blocks are made of: digits, capitals, punctuation, prices, dates."""

from __future__ import annotations

import string
from typing import NamedTuple

import numpy as np

from haenyeo import native
from haenyeo.model.pages import Block
from haenyeo.read.page.texts import Floats

COMPILED = native.load("reading")

_MOST = 3.0  # of a sign that make a difference
_LONGEST_DATE = 40  # characters
_FEWEST_DIGITS = 3
_LEAST_DIGITS = 0.15  # of the characters of a date
_DIGITS = string.digits.encode()
_CAPITALS = string.ascii_uppercase.encode()
_SIGNS = string.punctuation.encode()
_CURRENCIES = ("$", "\u20ac", "\u00a3", "\u00a5", "\u20a9", "\u20b9")


class Composition(NamedTuple):
    """Per block: how many digits, capitals, commas, question marks, colons and other signs; how it begins.

    `price` is 1 where an amount of money stands, `date` for short texts that are mostly a date or a counter.
    """

    digits: Floats
    capitals: Floats
    commas: Floats
    questions: Floats
    colons: Floats
    signs: Floats
    begins_small: Floats
    price: Floats
    date: Floats


def composition_of(blocks: tuple[Block, ...], characters: Floats) -> Composition:
    """The composition of the blocks' texts, of which none is empty."""
    counts = compose([block.text for block in blocks])
    digits = counts[0]
    is_date = (digits >= _FEWEST_DIGITS) & (characters < _LONGEST_DATE) & (digits > _LEAST_DIGITS * characters)
    return Composition._make([*counts, is_date.astype(np.float32)])


def compose(texts: list[str]) -> Floats:
    """All that is counted in texts: a row for each part of a composition but the last."""
    if COMPILED is None:
        return compose_in_python(texts)
    counts = np.empty((len(Composition._fields) - 1, len(texts)), np.float32)
    COMPILED.compose(texts, counts)
    return counts


def compose_in_python(texts: list[str]) -> Floats:
    """The same as `compose`, without compiled code."""
    columns = []
    for text in texts:
        letters = text.encode("utf-8", "surrogatepass")
        digits = len(letters) - len(letters.translate(None, _DIGITS))
        columns.append(
            (
                digits,
                len(letters) - len(letters.translate(None, _CAPITALS)),
                *[text.count(sign) for sign in ",?:"],
                len(letters) - len(letters.translate(None, _SIGNS)),
                text[:1].isascii() and text[:1].islower(),
                digits > 0 and any(sign in text for sign in _CURRENCIES),
            )
        )
    return np.array(columns, np.float32).reshape(-1, len(Composition._fields) - 1).T


def composition_features(parts: Composition, characters: Floats, words: Floats) -> list[Floats]:
    """What the judge sees of it."""
    size, words = np.maximum(characters, 1), np.maximum(words, 1)
    return [
        parts.digits / size,
        parts.capitals / size,
        parts.commas / words,
        np.minimum(parts.questions, _MOST),
        parts.price,
        parts.signs / size,
        np.minimum(parts.colons, _MOST),
        characters / words,
        parts.begins_small,
        parts.date,
    ]
