from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.watch.rules.profile import Profile, alike, common_words, overlap, profile_of

CODES = ["22-ICA-10", "22-ICA-57", "23-ICA-162"]
CASES = ["State v. Hill", "State v. Taylor", "In re Lowry"]


def test_a_profile_tells_kinds_shapes_and_words() -> None:
    profile = profile_of([*CODES, CODES[0]])
    assert profile.values == 3
    assert profile.repeated == pytest.approx(4 / 3, abs=0.001)
    assert profile.kinds == {"code": 1.0}
    assert profile.shapes == {"0-A-0": 1.0}
    assert profile_of(CASES).words["state"] == pytest.approx(2 / 3, abs=0.001)


def test_values_like_those_known_fit_in() -> None:
    profile = profile_of(CASES)
    assert alike(profile, "State v. Manzano") > 0.5
    assert alike(profile, "23-0808") < 0.1
    assert alike(profile, "") == alike(Profile(), "x") == 0


def test_recurring_words_are_common_to_like_columns() -> None:
    known = profile_of(CASES)
    assert common_words(known, profile_of(["State v. Owens", "In re Kostiv"])) > common_words(
        known, profile_of(["About the courts", "Annual reports", "Contact"])
    )
    assert common_words(profile_of(["a"]), profile_of(["b"])) == 0.5


def test_overlap_is_the_common_share() -> None:
    assert overlap({"a": 0.5, "b": 0.5}, {"b": 1.0}) == 0.5


@given(st.lists(st.text(max_size=30), max_size=20))
def test_any_values_have_a_profile_that_survives_json(values: list[str]) -> None:
    profile = profile_of(values)
    assert msgspec.json.decode(msgspec.json.encode(profile), type=Profile) == profile
    assert all(0 <= alike(profile, value) <= 1 for value in values)
    assert 0 <= overlap(profile.shapes, profile.shapes) <= 1
