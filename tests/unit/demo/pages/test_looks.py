from __future__ import annotations

from haenyeo.demo.pages.looks import stylesheet


def test_only_parts_that_are_selected_are_dressed() -> None:
    plain = stylesheet(7, "tidewatch", 0, {})
    dressed = stylesheet(7, "tidewatch", 0, {"brand": ".logo", "nav": "#menu"})
    assert plain.startswith("body{")
    assert ".logo{font-size:1.7em" in dressed
    assert "#menu a,nav a{margin-right:14px}" in dressed
    assert "{accent}" not in dressed


def test_a_full_redesign_looks_otherwise() -> None:
    looks = {stylesheet(7, "tidewatch", redesigns, {}) for redesigns in range(6)}
    assert len(looks) > 1
    assert stylesheet(7, "tidewatch", 0, {}) in looks
