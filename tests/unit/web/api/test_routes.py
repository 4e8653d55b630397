from __future__ import annotations

import http.client
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from haenyeo.web.serving import Served


class Reply(NamedTuple):
    status: int
    headers: dict[str, str]
    text: str


Ask = Callable[..., Reply]
Post = Callable[..., tuple[int, Any]]


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/pages?limit=101", 400),
        ("/api/pages?limit=x", 400),
        ("/api/pages?limit=1&limit=2", 400),
        ("/api/pages?nothing=1", 400),
        ("/api/overview?x=1", 400),
        ("/api/pages/99", 404),
        ("/api/pages/99999999999999999999", 404),
        ("/api/rules/none/records", 404),
        ("/api/nothing", 404),
        ("/api/crawl", 405),
    ],
)
def test_what_cannot_be_answered_is_said_as_json(ask: Ask, path: str, status: int) -> None:
    reply = ask(path)
    assert reply.status == status
    assert json.loads(reply.text)["detail"]


def test_only_json_is_taken(post: Post) -> None:
    assert post("/api/crawl", {"action": "stop"}, **{"Content-Type": "text/plain"})[0] == 415


@pytest.mark.parametrize("body", ["[" * 30_000, '{"other":' + "[" * 30_000, '{"action":' + '{"a":' * 10_000])
def test_what_is_nested_too_deeply_is_refused(served: Served, body: str) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=60)
    given = {"Authorization": f"Bearer {served.app.state.keys.token}", "Content-Type": "application/json"}
    connection.request("POST", "/api/crawl", body, given)
    with connection.getresponse() as answer:
        status, said = answer.status, answer.read()
    connection.close()
    assert (status, list(json.loads(said))) == (400, ["detail"])


def test_the_cookie_alone_changes_nothing(post: Post, served: Served) -> None:
    cookie = f"haenyeo-{served.port}={served.app.state.keys.token}"
    assert post("/api/crawl", {"action": "stop"}, Authorization="", Cookie=cookie)[0] == 403


def test_nothing_is_told_without_the_token(ask: Ask) -> None:
    for path in ("/api/overview", "/api/openapi.json", "/api/pages/1"):
        assert ask(path, headers={}).status == 401


@pytest.mark.slow
def test_the_interface_keeps_what_its_description_promises(served: Served, tmp_path: Path) -> None:
    """Schemathesis asks everything the description allows, and much that it does not."""
    done = subprocess.run(
        [
            *(sys.executable, "-m", "schemathesis.cli", "run", f"http://127.0.0.1:{served.port}/api/openapi.json"),
            *("-H", f"Authorization: Bearer {served.app.state.keys.token}", "-n", "12", "--seed", "7"),
            *("--phases", "coverage,fuzzing"),
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:]
