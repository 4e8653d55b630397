"""Dates and waits are read as far as they make sense."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.fetch.answers import LONGEST_RETRY_AFTER, never_a_page, retry_after
from haenyeo.fetch.dates import http_time

NOON = 784_123_200.0  # 6 November 1994


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("Sun, 06 Nov 1994 12:00:00 GMT", NOON),
        ("Sunday, 06-Nov-94 12:00:00 GMT", NOON),
        ("Sun Nov  6 12:00:00 1994", NOON),
        ("Sun, 06 Nov 1994 21:00:00 +0900", NOON),
        ("Sun, 06 Nov 99999 12:00:00 GMT", None),
        ("soon", None),
        ("", None),
        ("0", None),
        ("z" * 100_000, None),
    ],
)
def test_dates_are_read_in_the_forms_servers_send(text: str, seconds: float | None) -> None:
    assert http_time(text) == seconds


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("0", 0.0),
        (" 120 ", 120.0),
        ("Sun, 06 Nov 1994 12:01:00 GMT", 60.0),
        ("Sun, 06 Nov 1994 11:00:00 GMT", 0.0),
        ("99999999999999999999", LONGEST_RETRY_AFTER),
        ("Fri, 31 Dec 2999 23:59:59 GMT", LONGEST_RETRY_AFTER),
        *((nonsense, None) for nonsense in ("", "-5", "1.5", "nan", "inf", "1e400", "soon", "\uff11")),
    ],
)
def test_a_wait_is_a_number_or_a_date(value: str, seconds: float | None) -> None:
    assert retry_after(value, NOON) == seconds


@given(st.text())
def test_any_text_will_do(text: str) -> None:
    wait = retry_after(text, NOON)
    assert wait is None or 0 <= wait <= LONGEST_RETRY_AFTER


def test_labels_that_are_often_wrong_are_looked_into() -> None:
    assert [never_a_page(label) for label in ("image/png", "IMAGE/PNG; q=1", "video/mp4", "application/pdf")] == [
        True
    ] * 4
    assert not any(never_a_page(label) for label in ("", "text/html", "text/plain", "application/json", "nonsense"))
