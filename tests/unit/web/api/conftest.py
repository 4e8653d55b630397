"""A program that asks the interface for changes."""

from __future__ import annotations

import http.client
import json
from collections.abc import Callable
from typing import Any

import pytest

from haenyeo.web.serving import Served

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
