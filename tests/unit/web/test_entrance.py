"""Beyond this machine: other names, a proxy or TLS before the dashboard, guests, and wrong keys."""

from __future__ import annotations

import http.client
import ssl
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from haenyeo.web.guard import MOST_WRONG, Entrance, WrongKeys
from haenyeo.web.serving import Served, Tls, listen, serving_in_thread

TOKEN = "a-key-that-is-long-enough"
BEARER = {"Authorization": f"Bearer {TOKEN}"}
Asked = Callable[..., int]


@pytest.fixture
def status(folder: Path, request: pytest.FixtureRequest) -> Iterator[Asked]:
    """The status of an answer of a dashboard with the test's entrance."""
    served: Served = listen(folder, token=TOKEN, entrance=request.param)

    def ask(method: str, path: str, **headers: str) -> int:
        connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=30)
        connection.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        found = connection.getresponse().status
        connection.close()
        return found

    with serving_in_thread(served):
        yield ask


@pytest.mark.parametrize("status", [Entrance(hosts=("reefs.lan",))], indirect=True)
def test_a_name_that_is_allowed_opens_and_others_do_not(status: Asked) -> None:
    assert status("GET", "/pages", Host="reefs.lan", **BEARER) == 200
    assert status("GET", "/pages", Host="REEFS.lan:8620", **BEARER) == 200
    assert status("GET", "/pages", Host="evil.example", **BEARER) == 403
    assert status("GET", "/pages", Host="reefs.lan", Origin="https://reefs.lan", **BEARER) == 403


@pytest.mark.parametrize("status", [Entrance(hosts=("reefs.lan",), secure=True, behind_proxy=True)], indirect=True)
def test_behind_a_proxy_pages_are_of_https_and_visitors_are_told_apart(status: Asked) -> None:
    assert status("GET", "/pages", Host="reefs.lan", Origin="https://reefs.lan", **BEARER) == 200
    assert status("GET", "/pages", Host="reefs.lan", Origin="http://reefs.lan", **BEARER) == 403
    wrong = {"Host": "reefs.lan", "Authorization": "Bearer wrong", "X_Forwarded_For": "8.8.8.8, 203.0.113.9"}
    assert [status("GET", "/pages", **wrong) for _ in range(MOST_WRONG + 1)][-2:] == [401, 429]
    assert status("GET", "/pages", Host="reefs.lan", X_Forwarded_For="203.0.113.9", **BEARER) == 429
    assert status("GET", "/pages", Host="reefs.lan", X_Forwarded_For="203.0.113.7", **BEARER) == 200


@pytest.mark.parametrize("status", [Entrance(read_only=True)], indirect=True)
def test_guests_change_nothing(status: Asked) -> None:
    assert status("GET", "/pages", **BEARER) == 200
    assert status("POST", "/pages/1/judge", **BEARER) == 405
    assert status("POST", "/api/crawl", **BEARER) == 405


def test_wrong_keys_are_forgotten_after_a_minute() -> None:
    now = [0.0]
    wrong = WrongKeys(lambda: now[0])
    for _ in range(MOST_WRONG):
        wrong.note("a")
    assert wrong.are_too_many("a")
    assert not wrong.are_too_many("b")
    now[0] = 61.0
    assert not wrong.are_too_many("a")


@pytest.mark.slow
def test_a_certificate_makes_it_https(folder: Path, tmp_path: Path) -> None:
    key, certificate = tmp_path / "key.pem", tmp_path / "cert.pem"
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    names = ["-addext", "subjectAltName=IP:127.0.0.1"]
    subprocess.run([*made, *names, "-keyout", str(key), "-out", str(certificate)], check=True, capture_output=True)
    served = listen(folder, token=TOKEN, tls=Tls(certificate=str(certificate), key=str(key)))
    assert served.url.startswith("https://127.0.0.1:")
    with serving_in_thread(served):
        trusted = ssl.create_default_context(cafile=str(certificate))
        connection = http.client.HTTPSConnection("127.0.0.1", served.port, timeout=30, context=trusted)
        connection.request("GET", f"/?token={TOKEN}")
        answer = connection.getresponse()
        assert answer.status == 303
        assert "Secure" in (answer.getheader("set-cookie") or "")
        connection.close()
