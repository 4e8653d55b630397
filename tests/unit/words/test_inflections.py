"""What the inflections of a word share in its language."""

from __future__ import annotations

import pytest

from haenyeo.words.inflections import inflects, root_in


@pytest.mark.parametrize(
    ("language", "one", "other"),
    [
        ("de", "häuser", "haus"),
        ("fr", "masques", "masque"),
        ("ru", "градиенты", "градиента"),
        ("tr", "katmanlar", "katmanlarda"),
        ("fi", "kanavat", "kanava"),
    ],
)
def test_inflections_share_a_root(language: str, one: str, other: str) -> None:
    assert inflects(language)
    assert root_in(language, one) == root_in(language, other)


def test_english_korean_and_unknown_languages_are_left_to_others() -> None:
    assert not any(map(inflects, ("en", "ko", "ja", "zh", "th", "")))
