"""Chance that can be repeated: the same keys always give the same draws."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random
from typing import TypeVar

import xxhash

T = TypeVar("T")


def number(*keys: object) -> int:
    """A number of 64 bits that depends on nothing but the keys."""
    return xxhash.xxh64_intdigest("\x1f".join(map(str, keys)).encode())


class Chance:
    """A source of draws named by keys; `random()` gives numbers in [0, 1) that no Python release changes."""

    __slots__ = ("random",)

    def __init__(self, *keys: object) -> None:
        self.random = Random(number(*keys)).random

    def below(self, limit: int) -> int:
        """A whole number from 0 to limit - 1."""
        return int(self.random() * limit)

    def between(self, low: float, high: float) -> float:
        """A number in [low, high)."""
        return low + (high - low) * self.random()

    def pick(self, choices: Sequence[T]) -> T:
        """One of the choices."""
        return choices[int(self.random() * len(choices))]

    def some(self, choices: Sequence[T], count: int) -> list[T]:
        """Up to `count` different places of `choices`, in drawn order."""
        if len(choices) <= count:
            return list(choices)
        taken: dict[int, None] = {}
        while len(taken) < count:
            taken[int(self.random() * len(choices))] = None
        return [choices[place] for place in taken]

    def wait(self, rate: float) -> float:
        """How long one waits for something that happens `rate` times in a unit of time."""
        return -math.log(1 - self.random()) / rate

    def happens(self, probability: float) -> bool:
        """Whether something of this probability happens."""
        return self.random() < probability
