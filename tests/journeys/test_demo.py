"""The demo shows what it says."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable

import pytest

Command = Callable[..., "subprocess.CompletedProcess[str]"]
pytestmark = pytest.mark.slow


def test_the_demo_finds_watches_repairs_and_refreshes(haenyeo: Command) -> None:
    shown = json.loads(haenyeo("demo", "--pages", "80", "--json").stdout)
    assert shown["kept"] > 30
    assert shown["repair"]["repaired"]
    assert shown["repair"]["alarms"] >= 1
    assert shown["repair"]["records"] > 10
    assert shown["refresh"]["visited"] > 0
    again = haenyeo("demo", "--pages", "20")
    assert "all four verbs" in again.stdout
    assert "haenyeo serve" in again.stdout
