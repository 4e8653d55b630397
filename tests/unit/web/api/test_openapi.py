from __future__ import annotations

import json
import re
from typing import Any

import msgspec

from haenyeo.web.api.openapi import Endpoint, describe
from haenyeo.web.api.routes import ENDPOINTS


class Thing(msgspec.Struct, kw_only=True):
    """What is given."""

    name: str


class Wish(msgspec.Struct, kw_only=True):
    """What is asked."""

    colour: str = "blue"


def thing(asked: object) -> Thing:
    """Give a thing."""
    del asked
    return Thing(name="x")


def test_a_question_is_described_from_its_types() -> None:
    made = Endpoint(path="/api/things/{number:int}/{name}", answer=Thing, handler=thing, params=Wish)
    operation = describe([made])["paths"]["/api/things/{number}/{name}"]["get"]
    assert (operation["summary"], operation["operationId"]) == ("Give a thing.", "thing")
    assert [(one["name"], one["in"]) for one in operation["parameters"]] == [
        ("number", "path"),
        ("name", "path"),
        ("colour", "query"),
    ]
    assert "404" in operation["responses"]
    assert "409" not in operation["responses"]


def test_a_question_with_a_body_is_posted() -> None:
    described = describe([Endpoint(path="/api/things", answer=Thing, handler=thing, body=Wish)])
    operation: dict[str, Any] = described["paths"]["/api/things"]["post"]
    assert operation["requestBody"]["required"]
    assert {"409", "413", "415"} <= operation["responses"].keys()
    assert "404" not in operation["responses"]


def test_everything_that_is_referred_to_is_described() -> None:
    described = describe(ENDPOINTS)
    named = set(re.findall(r"#/components/schemas/(\w+)", json.dumps(described)))
    assert named <= described["components"]["schemas"].keys()
    operations = [one["operationId"] for path in described["paths"].values() for one in path.values()]
    assert len(operations) == len(set(operations)) == len(ENDPOINTS)
