from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Post = Callable[..., tuple[int, Any]]


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


def test_a_verdict_is_answered_with_what_now_counts(post: Post) -> None:
    for verdict in ("no", "yes"):
        assert post("/api/pages/1/verdict", {"topic": "divers", "verdict": verdict}) == (
            200,
            {"topic": "divers", "verdict": verdict},
        )
    assert post("/api/pages/99/verdict", {"topic": "divers", "verdict": "no"})[0] == 404
