"""Shared by all tests: nothing leaves this machine, and how hard properties are tried.

`HYPOTHESIS_PROFILE` names the profile: `dev` is quick, `ci` tries the same examples every time, `thorough` tries many.
Without it the profile is `ci` where the environment has `CI`, and `dev` elsewhere.
"""

from __future__ import annotations

import ipaddress
import os
import socket
from typing import Any

import pytest
from hypothesis import settings

# Deadlines measure the machine and its load, not the code.
settings.register_profile("dev", max_examples=25, deadline=None)
settings.register_profile("ci", max_examples=100, deadline=None, derandomize=True, print_blob=True)
settings.register_profile("thorough", max_examples=2_000, deadline=None, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "dev"))


@pytest.fixture(autouse=True)
def _loopback_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse every connection of this process that would leave the machine."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6) and not ipaddress.ip_address(address[0]).is_loopback:
            pytest.fail(f"a test tried to connect to {address[0]}")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)
