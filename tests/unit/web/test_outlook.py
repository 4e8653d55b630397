from __future__ import annotations

from pathlib import Path

import pytest

from haenyeo.collect.settings_file import read_settings
from haenyeo.web.outlook import Outlook


@pytest.mark.slow
def test_the_first_look_ahead_is_made_beside_the_view(folder: Path) -> None:
    outlook = Outlook(folder, read_settings(folder))
    assert outlook.ask(5) is None
    outlook.close()
    assert outlook.forecast is not None
    assert outlook.by_budget
    assert outlook.trouble == ""
    assert outlook.ask(5) is outlook.forecast


@pytest.mark.slow
def test_a_look_ahead_holds_for_a_while(folder: Path) -> None:
    outlook = Outlook(folder, read_settings(folder))
    outlook.ask(5)
    outlook.close()
    made = outlook.forecast
    outlook.ask(6)  # something was visited since, but too lately for another look
    outlook.close()
    assert outlook.forecast is made


def test_what_keeps_from_looking_ahead_is_told(folder: Path) -> None:
    settings = read_settings(folder)
    (folder / "haenyeo.db").unlink()
    outlook = Outlook(folder, settings)
    outlook.ask(5)
    outlook.close()
    assert outlook.forecast is None
    assert "haenyeo.db is missing" in outlook.trouble


def test_an_outlook_that_was_never_asked_can_be_closed(folder: Path) -> None:
    Outlook(folder, read_settings(folder)).close()
