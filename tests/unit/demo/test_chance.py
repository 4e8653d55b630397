from hypothesis import given
from hypothesis import strategies as st

from haenyeo.demo.chance import Chance, number


def test_the_same_keys_give_the_same_draws() -> None:
    assert [Chance(7, "a").below(100) for _ in range(5)] == [Chance(7, "a").below(100)] * 5
    assert number(1, "x") == number(1, "x")


def test_keys_are_told_apart_wherever_they_are_cut() -> None:
    assert number("ab", "c") != number("a", "bc")


@given(st.integers(), st.lists(st.integers(), max_size=30), st.integers(0, 10))
def test_some_draws_different_places(seed: int, choices: list[int], count: int) -> None:
    numbered = list(enumerate(choices))
    drawn = Chance(seed).some(numbered, count)
    assert len(set(drawn)) == len(drawn) == min(count, len(choices))
    assert set(drawn) <= set(numbered)
