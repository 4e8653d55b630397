from __future__ import annotations

import re
from itertools import pairwise

import pytest

from haenyeo.model import errors
from haenyeo.model.errors import AddressError, FetchError, HaenyeoError, PageError, SettingsError, TooLargeError

_DRAWN = re.compile(r"^(?P<before>[ │├└─]*)(?P<name>\w+Error)\b")


def drawn() -> dict[str, str]:
    """Each error of the picture at the top of the module, and the one it is drawn under."""
    above: dict[str, str] = {}
    open_: list[tuple[int, str]] = [(-1, "")]
    for line in (errors.__doc__ or "").splitlines():
        if found := _DRAWN.match(line):
            depth = len(found["before"])
            while open_[-1][0] >= depth:
                open_.pop()
            above[found["name"]] = open_[-1][1]
            open_.append((depth, found["name"]))
    return above


def test_the_tree_is_drawn_as_it_is() -> None:
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, HaenyeoError)]
    real = {kind.__name__: kind.__mro__[1].__name__ if kind is not HaenyeoError else "" for kind in kinds}
    assert drawn() == real


def test_advice_stands_beside_the_message() -> None:
    error = SettingsError("too slow", path="$.pace.delay", advice="ask less")
    assert (str(error), error.path, error.advice) == ("too slow", "$.pace.delay", "ask less")
    assert SettingsError("x").path == "$"


@pytest.mark.parametrize("kind", [PageError, AddressError, FetchError, TooLargeError])
def test_errors_of_pages_have_a_short_reason_of_their_own_unless_a_better_one_is_given(kind: type[PageError]) -> None:
    assert kind("no", url="https://a.example/").reason == kind.reason
    assert kind("no", reason="timeout").reason == "timeout"
    assert all(one.reason != other.reason for one, other in pairwise((PageError, AddressError, FetchError)))
