from __future__ import annotations

from datetime import UTC, datetime, timedelta

import click
import pytest

from haenyeo.cli.options import moment, span


@pytest.mark.parametrize(
    ("written", "hours"), [("90m", 1.5), ("6h", 6), ("2d", 48), ("1w", 168), ("3600s", 1), ("12", 12), ("0.5 h", 0.5)]
)
def test_spans_of_time_are_read(written: str, hours: float) -> None:
    assert span(written) == timedelta(hours=hours)


def test_times_are_dates_or_spans_before_now() -> None:
    assert moment("2024-03-05") == datetime(2024, 3, 5, tzinfo=UTC)
    assert moment("2024-03-05T12:00+09:00") == datetime(2024, 3, 5, 3, tzinfo=UTC)
    before = datetime.now(UTC)
    assert before <= moment("2d") + timedelta(days=2) <= datetime.now(UTC)


@pytest.mark.parametrize("reader", [span, moment])
def test_what_is_no_time_is_refused_with_how_to_write_it(reader: object) -> None:
    assert callable(reader)
    with pytest.raises(click.BadParameter, match="2d"):
        reader("soon")
