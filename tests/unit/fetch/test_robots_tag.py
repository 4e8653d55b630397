"""What X-Robots-Tag says to us is heard, what it says to others is not."""

from __future__ import annotations

import pytest

from haenyeo.fetch.robots_tag import robots_tag

OURS = "reefbot"


@pytest.mark.parametrize(
    ("value", "heard"),
    [
        ("noindex", {"noindex"}),
        ("NoIndex, NOFOLLOW", {"noindex", "nofollow"}),
        ("reefbot: noindex", {"noindex"}),
        ("ReefBot : none", {"none"}),
        ("otherbot: noindex", set()),
        ("noindex, max-snippet:0", {"noindex", "max-snippet"}),
        ("max-snippet:0, noindex", {"noindex", "max-snippet"}),
        ("", set()),
    ],
)
def test_words_for_everyone_and_for_us_are_heard(value: str, heard: set[str]) -> None:
    assert robots_tag([("Server", "x"), ("x-robots-TAG", value)], OURS) == heard


def test_all_headers_are_read() -> None:
    headers = [("X-Robots-Tag", "otherbot: nofollow"), ("X-Robots-Tag", "reefbot: noindex")]
    assert robots_tag(headers, OURS) == {"noindex"}
