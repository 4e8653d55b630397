from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from haenyeo.watch.repeats import maximal_repeats

Sequence = tuple[int, ...]


def slowly(sequence: list[int], times: int) -> set[Sequence]:
    """All sequences found so often, but those that are part of another."""
    size = len(sequence)
    counts = Counter(tuple(sequence[a:b]) for a in range(size) for b in range(a + 1, size + 1))
    often = {found for found, count in counts.items() if count >= times}
    return {found for found in often if not any(found != other and is_part(found, other) for other in often)}


def is_part(short: Sequence, long: Sequence) -> bool:
    return any(long[start : start + len(short)] == short for start in range(len(long) - len(short) + 1))


@given(st.lists(st.integers(0, 2), max_size=18), st.integers(1, 5))
def test_the_repeats_are_those_that_a_slow_search_finds(sequence: list[int], times: int) -> None:
    found = [tuple(sequence[start : start + length]) for start, length in maximal_repeats(sequence, times)]
    assert len(found) == len(set(found))
    assert set(found) == slowly(sequence, times)


def test_the_place_is_the_first_one() -> None:
    assert list(maximal_repeats([9, 1, 2, 8, 1, 2, 7, 1, 2], 3)) == [(1, 2)]


def test_long_periodic_sequences_are_one_repeat() -> None:
    assert list(maximal_repeats([1, 2, 3, 4] * 5000, 10)) == [(0, 20_000 - 9 * 4)]


def test_nothing_repeats_in_nothing() -> None:
    assert list(maximal_repeats([], 1)) == list(maximal_repeats([1, 2], 3)) == []
