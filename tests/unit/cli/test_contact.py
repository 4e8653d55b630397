from __future__ import annotations

from pathlib import Path

import pytest

from haenyeo.cli.contact import known_contact


@pytest.fixture(autouse=True)
def _nobody_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HAENYEO_CONTACT", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))


def test_nobody_is_asked_without_a_terminal(tmp_path: Path) -> None:
    assert known_contact(ask=True) == ""
    assert not (tmp_path / "haenyeo").exists()


def test_the_environment_comes_before_what_was_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "haenyeo").mkdir()
    (tmp_path / "haenyeo" / "contact").write_text(" me@example.org\n", encoding="utf-8")
    assert known_contact(ask=False) == "me@example.org"
    monkeypatch.setenv("HAENYEO_CONTACT", "you@example.org")
    assert known_contact(ask=False) == "you@example.org"
