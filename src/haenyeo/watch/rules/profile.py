"""What the values of a field look like, so that they are known again when all of them are new."""

from __future__ import annotations

import functools
import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence

import msgspec

from haenyeo.watch.rules.values import value_kind

MOST_VALUES = 200
"""Values that are looked at."""

_KEPT_SHAPES, _KEPT_WORDS = 20, 60
_WORD = re.compile(r"[^\W\d_]+")
_CJK = 0x2E80
# What one deviation amounts to at least: shares of digits, capitals, small letters, CJK and signs; log of the length.
_LEAST_DEVIATION = (0.08, 0.3, 0.3, 0.1, 0.06, 0.5)
_FAR = 3.0
_COMMON = 0.15
Measures = tuple[float, float, float, float, float, float]


class Profile(msgspec.Struct, frozen=True, kw_only=True):
    """Statistics of the different values of a field.

    `kinds`, `shapes` and `words` are shares of the values; `mean` and `deviation` are of the measures of their
    characters; `repeated` is how many times as many values there were, equal ones counted.
    """

    values: int = 0
    repeated: float = 1.0
    kinds: dict[str, float] = {}
    shapes: dict[str, float] = {}
    words: dict[str, float] = {}
    mean: Measures = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    deviation: Measures = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


def profile_of(values: Collection[str]) -> Profile:
    """The profile of values; empty ones do not count."""
    filled = [value for value in values if value]
    different = list(dict.fromkeys(filled))[:MOST_VALUES]
    if not different:
        return Profile()
    size = len(different)
    rows = [_measures(value) for value in different]
    columns = list(zip(*rows, strict=True))
    return Profile(
        values=len(set(filled)),
        repeated=round(len(filled) / len(set(filled)), 3),
        kinds=_shares(Counter(map(value_kind, different)), size),
        shapes=_shares(Counter(map(_shape, different)), size, _KEPT_SHAPES),
        words=_shares(Counter(word for value in different for word in _words(value)), size, _KEPT_WORDS),
        mean=_rounded(map(_mean, columns)),
        deviation=_rounded(map(_deviation, columns)),
    )


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers)


def _deviation(numbers: Sequence[float]) -> float:
    mean = _mean(numbers)
    return math.sqrt(sum((number - mean) ** 2 for number in numbers) / len(numbers))


def _shares(counts: Counter[str], size: int, most: int | None = None) -> dict[str, float]:
    return {key: round(count / size, 3) for key, count in counts.most_common(most)}


def _rounded(numbers: Iterable[float]) -> Measures:
    a, b, c, d, e, f = (round(number, 4) for number in numbers)
    return a, b, c, d, e, f


@functools.lru_cache(maxsize=1 << 14)
def _measures(value: str) -> Measures:
    size = len(value)
    digits = sum(map(str.isdigit, value))
    capitals = sum(map(str.isupper, value))
    small = sum(map(str.islower, value))
    wide = sum(ord(character) > _CJK for character in value)
    blanks = sum(map(str.isspace, value))
    signs = max(size - digits - capitals - small - wide - blanks, 0)
    return digits / size, capitals / size, small / size, wide / size, signs / size, math.log(size)


@functools.lru_cache(maxsize=1 << 14)
def _shape(value: str) -> str:
    """Letters and numbers as one sign each: `22-ICA-10` is `0-A-0`."""
    shape = re.sub(r"[A-Z]+", "A", value)
    shape = re.sub(r"[a-z]+", "a", shape)
    shape = re.sub(r"\d+", "0", shape)
    return re.sub(r"[^\x00-\x7f]+", "가", shape)[:40]


@functools.lru_cache(maxsize=1 << 14)
def _words(value: str) -> frozenset[str]:
    return frozenset(_WORD.findall(value.lower()))


def alike(profile: Profile, value: str) -> float:
    """How well a value fits in, 0 to 1."""
    if not profile.values or not value:
        return 0.0
    distances = (
        min(abs(x - mean) / (deviation + least), _FAR)
        for x, mean, deviation, least in zip(
            _measures(value), profile.mean, profile.deviation, _LEAST_DEVIATION, strict=True
        )
    )
    closeness = math.exp(-sum(distance**2 for distance in distances) / len(_LEAST_DEVIATION) / 2)
    return (0.2 + 0.8 * profile.kinds.get(value_kind(value), 0.0)) * closeness


def overlap(these: dict[str, float], those: dict[str, float]) -> float:
    """The common share of two distributions, 0 to 1."""
    return min(1.0, sum(min(share, those.get(key, 0.0)) for key, share in these.items()))


def common_words(these: Profile, those: Profile) -> float:
    """How far the words that recur in one profile recur in the other, 0 to 1; half when neither has any."""
    recurring = {word for profile in (these, those) for word in _recurring(profile)}
    if not recurring:
        return 0.5
    shares = [(these.words.get(word, 0.0), those.words.get(word, 0.0)) for word in recurring]
    return sum(map(min, shares)) / max(sum(map(max, shares)), 0.5)


def _recurring(profile: Profile) -> Iterable[str]:
    least = max(2 / profile.values, _COMMON) if profile.values else 1.0
    return (word for word, share in profile.words.items() if share >= least - 0.001)
