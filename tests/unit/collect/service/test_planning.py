from __future__ import annotations

from datetime import timedelta

import pytest

from haenyeo.collect.service.planning import max_age, requests_a_day
from haenyeo.model.errors import SettingsError, UsageError


def test_budgets_are_read_in_several_units() -> None:
    assert requests_a_day("500/day") == requests_a_day("500") == 500
    assert requests_a_day("2 / hour") == 48
    assert requests_a_day("7/week") == pytest.approx(1)


@pytest.mark.parametrize("text", ["", "many", "5/fortnight", "-3/day", "1e3"])
def test_other_budgets_are_refused(text: str) -> None:
    with pytest.raises(UsageError):
        requests_a_day(text)


def test_the_maximal_age_is_a_span() -> None:
    assert max_age("") is None
    assert max_age("30d") == timedelta(days=30)
    assert max_age("2w") == timedelta(days=14)


@pytest.mark.parametrize("text", ["0d", "soon", "-1d", "3 fortnights"])
def test_other_ages_are_refused_with_their_key(text: str) -> None:
    with pytest.raises(SettingsError) as error:
        max_age(text)
    assert error.value.path == "$.refresh.max_age"
