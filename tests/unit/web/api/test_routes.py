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


@pytest.fixture
def post(served: Served) -> Post:
    def posting(path: str, value: object, **headers: str) -> tuple[int, Any]:
        connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=60)
        given = {"Authorization": f"Bearer {served.app.state.keys.token}", "Content-Type": "application/json"}
        connection.request("POST", path, json.dumps(value), {**given, **headers})
        answer = connection.getresponse()
        status, body = answer.status, json.loads(answer.read())
        connection.close()
        return status, body

    return posting


@pytest.mark.slow
def test_programs_are_given_what_the_views_show(ask: Ask, served: Served) -> None:
    served.app.state.desk.index()
    overview = json.loads(ask("/api/overview").text)
    assert (overview["kept"], overview["fetched"], overview["crawl"]) == (3, 4, "idle")
    assert overview["harvest"][-1] == {"fetched": 4, "kept": 3}
    found = json.loads(ask("/api/pages?q=abalone").text)
    assert [page["title"] for page in found["pages"]] == ["Women divers"]
    page = json.loads(ask("/api/pages/1").text)
    assert [visit["changed"] for visit in page["visits"]] == [None, True]
    assert json.loads(ask("/api/frontier?limit=1").text)["links"][0]["anchor"] == "a reef"
    assert json.loads(ask("/api/frontier?topic=nothing").text) == {"links": [], "total": 0}
    assert json.loads(ask("/api/sites").text)["sites"][0]["kept"] == 3
    freshness = json.loads(ask("/api/freshness").text)
    assert freshness["changes"] == 1
    assert {"by_budget", "due"} <= freshness.keys()
    assert json.loads(ask("/api/rules").text) == {"rules": []}
    assert json.loads(ask("/api/events").text) == {"events": []}


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


def test_changes_are_made(post: Post) -> None:
    assert post("/api/pages/1/verdict", {"topic": "divers", "verdict": "no"})[0] == 200
    assert post("/api/steering/rule", {"pattern": "x.example", "action": "block"})[1]["block"] == ["x.example"]
    assert post("/api/crawl", {"action": "pause"})[1]["state"] == "idle"


@pytest.mark.parametrize(
    ("path", "value", "status"),
    [
        ("/api/pages/1/verdict", {"topic": "divers", "verdict": "perhaps"}, 400),
        ("/api/pages/1/verdict", {"topic": "none", "verdict": "no"}, 404),
        ("/api/pages/1/verdict", ["no"], 400),
        ("/api/steering/rule", {"pattern": "*", "action": "block"}, 400),
        ("/api/crawl", {"action": "start", "pages": 0}, 400),
        ("/api/crawl", {"action": "x" * 70_000}, 413),
    ],
)
def test_changes_that_cannot_be_meant_are_refused(post: Post, path: str, value: object, status: int) -> None:
    assert post(path, value)[0] == status


def test_only_json_is_taken(post: Post) -> None:
    assert post("/api/crawl", {"action": "stop"}, **{"Content-Type": "text/plain"})[0] == 415


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
