from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.fetch.dates import http_time

MOMENT = 784_111_777.0


@pytest.mark.parametrize(
    "text",
    [
        "Sun, 06 Nov 1994 08:49:37 GMT",
        "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994",
        "Sun, 06 Nov 1994 09:49:37 +0100",
        "06 Nov 1994 08:49:37",
    ],
)
@pytest.mark.parametrize("zone", ["UTC", "Asia/Seoul", "America/New_York"])
def test_all_forms_mean_the_same_moment_wherever_the_machine_stands(
    text: str, zone: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        assert http_time(text) == MOMENT
    finally:
        monkeypatch.undo()
        time.tzset()


@pytest.mark.parametrize(
    "text", ["", "soon", "0", "-1", "Sun, 99 Nov 1994 08:49:37 GMT" * 9, "Sun, 06 Nov 99999999 08:49:37 GMT"]
)
def test_nonsense_is_no_time(text: str) -> None:
    assert http_time(text) is None


@given(text=st.text(st.sampled_from("SunMonJa 0123456789:,-+GMT"), max_size=70))
def test_any_text_is_a_time_or_none(text: str) -> None:
    assert http_time(text) is None or isinstance(http_time(text), float)
