from __future__ import annotations

import http.client
import signal
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.slow
def test_the_address_that_is_printed_opens_the_dashboard(divers: Path) -> None:
    command = [sys.executable, "-m", "haenyeo", "serve", str(divers), "--port", "0", "--quiet"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        host, _, path = process.stdout.readline().strip().removeprefix("http://").partition("/")
        connection = http.client.HTTPConnection(host, timeout=60)
        connection.request("GET", f"/{path}")
        assert connection.getresponse().status == 303
        connection.close()
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) in (0, 143, -signal.SIGTERM)
    finally:
        process.kill()
        process.communicate()


@pytest.mark.slow
def test_a_key_of_your_own_is_not_printed(divers: Path, tmp_path: Path) -> None:
    key = tmp_path / "token"
    key.write_text("a-key-that-is-long-enough", encoding="utf-8")
    command = [sys.executable, "-m", "haenyeo", "serve", str(divers), "--port", "0", "--token-file", str(key)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        told = "".join(process.stdout.readline() for _ in range(5))
    finally:
        process.kill()
        process.communicate()
    assert "/?token=KEY\n" in told
    assert f"in {key} in place of KEY" in told
    assert "long-enough" not in told
