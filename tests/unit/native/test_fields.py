"""Attributes are read where they stand in values of the usual types, and asked for in all others."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

import msgspec
import pytest

from haenyeo.model.pages import Block, Outlink, Url

Load = Callable[[str], ModuleType]


class _Turned(msgspec.Struct):
    """The attributes of a block, at other places."""

    path: str
    signs: str
    text: str


class _Derived(_Turned):
    more: str = ""


class _Asked:
    """A text that is made only when it is asked for."""

    path = "p"

    def __init__(self, text: str) -> None:
        self._text = text

    @property
    def text(self) -> str:
        return self._text


class _Slotted:
    __slots__ = ("path", "text")

    def __init__(self, text: str | None) -> None:
        self.path = "p"
        if text is not None:
            self.text = text


class _Answering:
    """Says something else than what stands in it."""

    __slots__ = ("path", "text")

    def __init__(self) -> None:
        self.path, self.text = "p", "hidden"

    def __getattribute__(self, name: str) -> str:
        return "said" if name == "text" else "p"


def _blocks() -> list[Any]:
    return [
        Block("one", "p"),
        _Turned("p", "", "two"),
        Block("three", "p"),
        _Derived("p", "", "four"),
        SimpleNamespace(text="five", path="p"),
        _Asked("six"),
        _Slotted("seven"),
        _Answering(),
        Block("nine", "p"),
    ]


def test_blocks_of_all_types_are_joined(compiled: Load) -> None:
    text = compiled("reading").joined(_blocks(), {"p": False}, bool)
    assert text.split() == ["one", "two", "three", "four", "five", "six", "seven", "said", "nine"]


def test_links_of_all_types_have_surroundings(compiled: Load) -> None:
    link = Outlink(Url("http://a.test/"), block=1, start=0, end=3)
    same = SimpleNamespace(block=1, start=0, end=3)
    spans = compiled("surroundings").spans("one two", (Block("one", "p"), _Slotted("two")), [link, same, link], 5)
    assert array("i", spans).tolist() == [4, 7, 0, 3, 7, 7] * 3


def test_an_attribute_that_is_not_there_is_an_error(compiled: Load) -> None:
    for blocks in ([_Slotted(None)], [_Slotted("here"), _Slotted(None)], [object()]):
        with pytest.raises(AttributeError):
            compiled("reading").joined(blocks, {"p": False}, bool)


def test_the_first_error_stays(compiled: Load) -> None:
    wrong = SimpleNamespace(block="no number", start=0, end=3)
    with pytest.raises(TypeError):
        compiled("surroundings").spans("one", (Block("one", "p"),), [wrong], 5)


def test_what_becomes_of_a_type_is_no_matter(compiled: Load) -> None:
    for number in range(50):
        kind = type("_Kind", (), {"__slots__": ("x" * (number % 3 + 1), "text", "path")})
        block = kind()
        block.text, block.path = f"text {number}", "p"
        assert compiled("reading").joined([block], {"p": False}, bool) == f"text {number}"
