"""Describes the interface as OpenAPI 3.1, from the same values that it takes and gives."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from haenyeo import __version__
from haenyeo.web.api.answers import Problem

REF = "#/components/schemas/{name}"
PLACE = re.compile(r"\{(\w+)(:int)?\}")


class Endpoint(msgspec.Struct, frozen=True, kw_only=True):
    """One question: with a `body` it is a POST, else a GET."""

    path: str
    answer: type[msgspec.Struct]
    handler: Callable[[Any], Any]
    params: type[msgspec.Struct] | None = None
    body: type[msgspec.Struct] | None = None

    @property
    def method(self) -> str:
        """How it is asked."""
        return "POST" if self.body else "GET"


def describe(endpoints: Iterable[Endpoint]) -> dict[str, Any]:
    """The whole description."""
    endpoints = tuple(endpoints)
    types = [kind for one in endpoints for kind in (one.answer, one.body) if kind is not None]
    _, components = msgspec.json.schema_components([*dict.fromkeys(types), Problem], ref_template=REF)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Haenyeo",
            "version": __version__,
            "description": "What the dashboard of a collection shows, for programs.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "security": [{"token": []}],
        "paths": _paths(endpoints),
        "components": {
            "schemas": components,
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "The token in the address that haenyeo serve prints.",
                }
            },
        },
    }


def _paths(endpoints: tuple[Endpoint, ...]) -> dict[str, Any]:
    return {PLACE.sub(r"{\1}", one.path): {one.method.lower(): _operation(one)} for one in endpoints}


def _operation(one: Endpoint) -> dict[str, Any]:
    answers: dict[str, Any] = {"200": _content("What was asked for.", one.answer)}
    problems = {"400": "The question is not as described.", "401": "The token is missing or wrong."}
    problems["403"] = "Asked by another site's page, or under another name."
    if PLACE.search(one.path):
        problems["404"] = "It is not there."
    if one.body:
        problems |= {"409": "Another process writes in the collection.", "413": "Too long.", "415": "Not JSON."}
    answers |= {status: _content(words, Problem) for status, words in problems.items()}
    operation: dict[str, Any] = {
        "summary": inspect.getdoc(one.handler) or "",
        "operationId": one.handler.__name__,
        "parameters": [*_places(one.path), *_parameters(one.params)],
        "responses": answers,
    }
    if one.body:
        operation["requestBody"] = {"required": True, "content": _media(one.body)}
    return operation


def _content(words: str, kind: type[msgspec.Struct]) -> dict[str, Any]:
    return {"description": words, "content": _media(kind)}


def _media(kind: type[msgspec.Struct]) -> dict[str, Any]:
    return {"application/json": {"schema": {"$ref": REF.format(name=kind.__name__)}}}


def _places(path: str) -> list[dict[str, Any]]:
    """The values that stand in the address."""
    return [
        {
            "name": name,
            "in": "path",
            "required": True,
            "schema": {"type": "integer", "minimum": 0} if whole else {"type": "string", "minLength": 1},
        }
        for name, whole in PLACE.findall(path)
    ]


def _parameters(kind: type[msgspec.Struct] | None) -> list[dict[str, Any]]:
    """The values behind the question mark."""
    if kind is None:
        return []
    schema = msgspec.json.schema(kind)["$defs"][kind.__name__]
    return [
        {"name": name, "in": "query", "required": False, "schema": each} for name, each in schema["properties"].items()
    ]
