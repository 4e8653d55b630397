from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.html.dates import moment


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("2024", datetime(2024, 1, 1, tzinfo=UTC)),
        ("2024-05", datetime(2024, 5, 1, tzinfo=UTC)),
        ("2024-05-09", datetime(2024, 5, 9, tzinfo=UTC)),
        ("2024-05-09T08:30Z", datetime(2024, 5, 9, 8, 30, tzinfo=UTC)),
        ("2024-05-09T08:30:15.123456789+09:00", datetime(2024, 5, 8, 23, 30, 15, tzinfo=UTC)),
        ("2024-05-09 08:30:15", datetime(2024, 5, 9, 8, 30, 15, tzinfo=UTC)),
        ("Thu, 09 May 2024 08:30:15 GMT", datetime(2024, 5, 9, 8, 30, 15, tzinfo=UTC)),
        ("9 May 2024 08:30 -0500", datetime(2024, 5, 9, 13, 30, tzinfo=UTC)),
        ("Thu, 09 May 2024 08:30:15 EST", datetime(2024, 5, 9, 13, 30, 15, tzinfo=UTC)),
    ],
)
def test_the_usual_forms_are_read(written: str, expected: datetime) -> None:
    assert moment(written) == expected


@pytest.mark.parametrize(
    "written",
    ["", "today", "2024-13-01", "2024-02-30", "0001-01-01T00:00+09:00", "9 Foo 2024", "2024-05-09T25:00"],
)
def test_what_is_no_date_is_no_moment(written: str) -> None:
    assert moment(written) is None


@given(st.datetimes(timezones=st.just(UTC)))
def test_a_moment_survives_being_written(at: datetime) -> None:
    assert moment(at.isoformat()) == at.replace(microsecond=0)
