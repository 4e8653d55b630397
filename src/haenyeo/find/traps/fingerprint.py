"""What is a page's text like? Its pairs of neighbouring words as hashes, and a simhash of them.

Simhash after Charikar 2002, "Similarity Estimation Techniques from Rounding Algorithms": pages that differ in few words
differ in few bits. Words with a digit in them are left out, so that time stamps, counters and codes make no difference.
The hashes are the same in every run, since fingerprints are kept on disk.
"""

from __future__ import annotations

import functools
from array import array

import msgspec
import numpy as np
import numpy.typing as npt
import xxhash

from haenyeo import native

COMPILED = native.load("fingerprint")

Hashes = npt.NDArray[np.uint64]

_WINDOW = 1 << 10  # characters; of a long text four windows are looked at: two at the beginning, the middle, the end
_MOST_UNITS = 8 * _WINDOW + 16  # a character has up to two units
_SAMPLE = 256  # pairs that stand for all pairs of a page, and words looked at to count the different ones
_BASE = 0x9E3779B97F4A7C15  # odd, hence invertible modulo 2**64
_SEPARATOR, _LETTER, _DIGIT = 0, 1, 2
_SURROGATES = range(0xD800, 0xE000)
_NONE = np.empty(0, np.uint64)
_BEFORE = np.array([_SEPARATOR], np.uint8)  # what stands before the first character


class TextFingerprint(msgspec.Struct, frozen=True, kw_only=True):
    """A text in short: `digest` tells equal texts from all others, `sample` has the smallest hashes of its pairs.

    `words` counts its different words up to a few hundred, `pairs` all its pairs of neighbouring words.
    """

    digest: int
    simhash: int
    words: int
    pairs: int
    sample: Hashes


def fingerprint(text: bytes) -> TextFingerprint:
    """The fingerprint of a page's text in UTF-8."""
    if COMPILED is None:
        return fingerprint_in_python(text)
    similar, words, pairs, sample = COMPILED.fingerprint(text)
    return TextFingerprint(
        digest=xxhash.xxh3_64_intdigest(text),
        simhash=similar,
        words=words,
        pairs=pairs,
        sample=np.frombuffer(sample, np.uint64),
    )


def fingerprint_in_python(text: bytes) -> TextFingerprint:
    """The same as `fingerprint`, without compiled code."""
    words = word_hashes(_windows(text))
    pairs = _mixed(words[:-1] * np.uint64(3) + words[1:]) if len(words) > 1 else words
    sample = np.partition(pairs, _SAMPLE)[:_SAMPLE] if len(pairs) > _SAMPLE else pairs
    return TextFingerprint(
        digest=xxhash.xxh3_64_intdigest(text),
        simhash=simhash(pairs),
        words=len(set(words[:_SAMPLE].tolist())),
        pairs=len(pairs),
        sample=sample,
    )


def simhash(hashes: Hashes) -> int:
    """For each of 64 bits, what most hashes have there."""
    if len(hashes) == 0:
        return 0
    bits = np.unpackbits(hashes.view(np.uint8)).reshape(-1, 64)
    ones = np.ones(len(hashes), np.float32) @ bits.astype(np.float32)  # a product of matrices is the quickest sum
    most = 2 * ones > len(hashes)
    return int(np.packbits(most).view(np.uint64)[0])


def distances(simhashes: Hashes, simhash: int) -> npt.NDArray[np.uint8]:
    """In how many bits each of many simhashes differs from one."""
    differing: npt.NDArray[np.uint8] = np.bitwise_count(simhashes ^ np.uint64(simhash))
    return differing


def nearest(simhashes: array[int], simhash: int) -> tuple[int, int]:
    """The place of the simhash that differs least from one, and in how many bits."""
    if COMPILED is None:
        return nearest_in_python(simhashes, simhash)
    found: tuple[int, int] = COMPILED.nearest(simhashes, simhash)
    return found


def nearest_in_python(simhashes: array[int], simhash: int) -> tuple[int, int]:
    """The same as `nearest`, without compiled code."""
    differing = distances(np.frombuffer(simhashes, np.uint64), simhash)
    place = int(differing.argmin())
    return place, int(differing[place])


def word_hashes(text: str) -> Hashes:
    """A hash of each run of letters that no digit touches, in order.

    A polynomial of the code units, summed word by word and divided by the power at which the word begins, so that it
    does not matter where the word stands.
    """
    units = _lower().take(np.frombuffer(text.encode("utf-16-le"), np.uint16)[:_MOST_UNITS])
    kinds = _kinds().take(units)
    starts = np.flatnonzero((kinds != _SEPARATOR) & (np.concatenate([_BEFORE, kinds[:-1]]) == _SEPARATOR))
    if len(starts) == 0:
        return _NONE
    powers, inverses = _powers()
    terms = units * powers[: len(units)] * (kinds != _SEPARATOR)
    hashes = _mixed(np.add.reduceat(terms, starts) * inverses[starts])
    if not (kinds == _DIGIT).any():
        return hashes
    plain = np.ones(len(starts), np.bool_)
    plain[np.searchsorted(starts, np.flatnonzero(kinds == _DIGIT), side="right") - 1] = False
    return hashes[plain]


def _windows(text: bytes) -> str:
    whole = text.decode(errors="replace")
    if len(text) <= 4 * _WINDOW:
        return whole
    second_half = text[len(text) // 2 :].decode(errors="ignore")  # it may begin inside of a character
    return " ".join((whole[: 2 * _WINDOW], second_half[:_WINDOW], whole[-_WINDOW:]))


def _mixed(hashes: Hashes) -> Hashes:
    """Spread every bit over all others (the last steps of MurmurHash3)."""
    hashes = (hashes ^ (hashes >> np.uint64(33))) * np.uint64(0xFF51AFD7ED558CCD)
    hashes = (hashes ^ (hashes >> np.uint64(33))) * np.uint64(0xC4CEB9FE1A85EC53)
    return hashes ^ (hashes >> np.uint64(33))


@functools.cache
def _kinds() -> npt.NDArray[np.uint8]:
    """Separator, letter or digit, for each UTF-16 code unit; halves of rarer characters count as letters."""
    kinds = np.zeros(1 << 16, np.uint8)
    for code in range(1 << 16):
        character = chr(code)
        if character.isnumeric() and not character.isalpha():
            kinds[code] = _DIGIT
        elif character.isalpha() or code in _SURROGATES:
            kinds[code] = _LETTER
    return kinds


@functools.cache
def _lower() -> npt.NDArray[np.uint16]:
    """Each UTF-16 code unit in lower case."""
    return np.array([ord(chr(code).lower()[0]) for code in range(1 << 16)], np.uint16)


@functools.cache
def _powers() -> tuple[Hashes, Hashes]:
    """The powers of the base modulo 2**64, and their inverses."""
    inverse = pow(_BASE, -1, 1 << 64)
    both = []
    for base in (_BASE, inverse):
        powers = np.full(_MOST_UNITS, base, np.uint64)
        powers[0] = 1
        both.append(np.multiply.accumulate(powers))
    return both[0], both[1]
