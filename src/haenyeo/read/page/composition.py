"""What the texts of blocks are made of: digits, capitals, punctuation, prices, dates."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from haenyeo.model.pages import Block
from haenyeo.read.page.texts import Bools, Floats

_MOST = 3.0  # of a sign that make a difference
_LONGEST_DATE = 40  # characters
_FEWEST_DIGITS = 3
_LEAST_DIGITS = 0.15  # of the characters of a date
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
    """The composition of the blocks' texts, counted in all of them at once; no text is empty."""
    texts = [block.text.encode("utf-8", "surrogatepass") for block in blocks]
    ends = np.cumsum([len(text) for text in texts])
    starts = np.concatenate(([0], ends[:-1])).astype(np.intp)
    letters = np.frombuffer(b"".join(texts), np.uint8)

    def count(found: Bools) -> Floats:
        return np.add.reduceat(found, starts, dtype=np.float32)

    digits = count(_between(letters, "0", "9"))
    is_date = (digits >= _FEWEST_DIGITS) & (characters < _LONGEST_DATE) & (digits > _LEAST_DIGITS * characters)
    prices = [
        digit > 0 and any(sign in block.text for sign in _CURRENCIES)
        for block, digit in zip(blocks, digits, strict=True)
    ]
    return Composition(
        digits=digits,
        capitals=count(_between(letters, "A", "Z")),
        commas=count(letters == ord(",")),
        questions=count(letters == ord("?")),
        colons=count(letters == ord(":")),
        signs=count(_SIGNS[letters]),
        begins_small=_between(letters[starts], "a", "z").astype(np.float32),
        price=np.array(prices, np.float32),
        date=is_date.astype(np.float32),
    )


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


def _between(letters: npt.NDArray[np.uint8], first: str, last: str) -> Bools:
    found: Bools = (letters >= ord(first)) & (letters <= ord(last))
    return found


_SIGNS = np.array(
    [
        chr(code).isascii() and chr(code).isprintable() and not chr(code).isalnum() and code != ord(" ")
        for code in range(256)
    ]
)
