from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from haenyeo.web.render import ago, day, environment, number, percent, prepare, size

NOW = datetime(2025, 3, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "just now"),
        (59, "just now"),
        (-30, "just now"),
        (60, "1 min ago"),
        (3600, "1 h ago"),
        (2 * 86400, "2 d ago"),
        (45 * 86400, "2 mo ago"),
        (800 * 86400, "2 y ago"),
        (-600, "in 10 min"),
    ],
)
def test_how_long_ago_is_said_in_one_unit(seconds: float, words: str) -> None:
    assert ago(NOW - timedelta(seconds=seconds), NOW) == words


def test_what_never_happened_is_said_so() -> None:
    assert ago(None, NOW) == day(None) == "never"
    assert day(NOW) == "2025-03-01 12:00"


@pytest.mark.parametrize(("share", "words"), [(0, "0%"), (0.004, "0.4%"), (0.0999, "10.0%"), (0.1, "10%"), (1, "100%")])
def test_small_shares_have_a_digit_more(share: float, words: str) -> None:
    assert percent(share) == words


@pytest.mark.parametrize(
    ("count", "words"), [(0, "0 B"), (999, "999 B"), (1000, "1.0 KB"), (2_500_000, "2.5 MB"), (7.1e12, "7100.0 GB")]
)
def test_bytes_come_in_a_fitting_unit(count: float, words: str) -> None:
    assert size(count) == words


def test_thousands_are_set_apart() -> None:
    assert number(1234567) == "1,234,567"


def test_every_template_compiles() -> None:
    prepare()
    assert "layout.html" in environment().list_templates()


def test_what_comes_from_a_page_is_escaped() -> None:
    shown = environment().from_string("{{ title }} {{ url|address }}")
    assert "<" not in shown.render(title="<script>", url="http://a.example/<b>")
