"""Selectors that users write: the CSS and XPath that list pages need, matched against a page's elements.

CSS: tags, classes, ids, attributes, `:nth-child`, `:nth-of-type`, `:first-child`, `:last-child`, descendants, children,
alternatives, and `::text` and `::attr(name)` as parsel has them. XPath: steps down, `*`, positions, attributes that are
there, are equal or contain a text, and `text()` or `@name` at the end.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from haenyeo.model.errors import UsageError
from haenyeo.watch.rules.places.tree import Element

_SIMPLE = re.compile(
    r"""(?x)
      (?P<tag>[a-zA-Z][\w-]*|\*) | \.(?P<class>-?[\w\u0080-\uffff-]+) | \#(?P<id>[\w-]+)
    | \[\s*(?P<name>[\w-]+)\s*
        (?:(?P<how>[~^$*|]?=)\s*(?:"(?P<double>[^"]*)"|'(?P<single>[^']*)'|(?P<bare>[^\]\s]+)))?\s*\]
    | :(?P<position>nth-child|nth-of-type)\(\s*(?P<number>\d+)\s*\) | :(?P<end>first-child|last-child)
    """
)
_SOURCE = re.compile(r"\s*::(?:(text)|attr\(\s*([\w-]+)\s*\))\s*\Z")
_XPATH_STEP = re.compile(r"(//|/)(?:(?P<tag>[a-zA-Z][\w-]*|\*)(?P<tests>(?:\[[^\[\]]*\])*))")
_XPATH_END = re.compile(r"//?(?:text\(\)|@(?P<name>[\w-]+))\Z")
_CLASS_WORD = (
    r"""contains\(\s*concat\(\s*['"] ['"]\s*,\s*normalize-space\(@class\)\s*,\s*['"] ['"]\s*\)\s*,"""
    r"""\s*['"]\s?([^'"]*?)\s?['"]\s*\)"""
)
_XPATH_TEST = re.compile(
    rf"""\[(?:(?P<number>\d+)|{_CLASS_WORD}|contains\(\s*@(?P<has>[\w-]+)\s*,\s*['"](?P<part>[^'"]*)['"]\s*\)"""
    r"""|@(?P<name>[\w-]+)(?:\s*=\s*['"](?P<value>[^'"]*)['"])?)\]"""
)


class ElementTest(NamedTuple):
    """A condition of an element: `kind` is tag, attribute, nth-child, nth-of-type or last-child."""

    kind: str
    name: str = ""
    how: str = ""
    value: str = ""

    def holds(self, element: Element) -> bool:
        """Whether the element fulfils it."""
        if self.kind == "tag":
            return self.value in ("*", element.tag)
        if self.kind == "attribute":
            there = self.name in element.attributes
            return there and _COMPARED[self.how](element.attributes[self.name] or "", self.value)
        siblings = element.parent.children if element.parent else [element]
        if self.kind == "nth-of-type":
            return element.nth == int(self.value)
        place = siblings.index(element)
        return place + 1 == int(self.value) if self.kind == "nth-child" else place == len(siblings) - 1


class QueryStep(NamedTuple):
    """Conditions of an element, and whether it must be a child of the step before or may stand deeper."""

    child: bool
    tests: tuple[ElementTest, ...]


class ElementQuery(NamedTuple):
    """What a selector looks for: alternatives of steps; `source` is the attribute to take, empty for the text."""

    alternatives: tuple[tuple[QueryStep, ...], ...]
    source: str = ""

    def select(self, inside: list[Element], start: Element) -> list[Element]:
        """Those of the elements, all in `start`, that it finds."""
        return [element for element in inside if any(_ends_at(steps, element, start) for steps in self.alternatives)]


@functools.lru_cache(maxsize=512)
def parse_query(text: str) -> ElementQuery:
    """The query of a selector in CSS or XPath; raises `UsageError` when it has something that is not known here."""
    text = text.strip()
    if text.startswith(("/", "./", "(")):
        return _parse_xpath(text)
    found = _SOURCE.search(text)
    source = (found[2] or "") if found else ""
    path = text[: found.start()] if found else text
    if path.strip() in ("", ":scope"):
        return ElementQuery((), source)
    return ElementQuery(tuple(tuple(_css_steps(each, text)) for each in path.split(",")), source)


def _css_steps(path: str, whole: str) -> Iterator[QueryStep]:
    left, child, first = path.strip(), False, True
    if left.startswith(":scope"):
        left = left.removeprefix(":scope").strip()
    while left:
        if left[0] == ">":
            child, left = True, left[1:].strip()
        elif not first:
            child = False
        tests, left = _css_tests(left, whole)
        yield QueryStep(child, tests)
        first, left = False, left.strip()


def _css_tests(left: str, whole: str) -> tuple[tuple[ElementTest, ...], str]:
    tests = []
    while left and left[0] not in " >":
        found = _SIMPLE.match(left)
        if found is None:
            raise _unknown(whole, left)
        tests.append(_css_test(found))
        left = left[found.end() :]
    if not tests:
        raise _unknown(whole, left)
    return tuple(tests), left


def _css_test(found: re.Match[str]) -> ElementTest:
    if found["tag"]:
        return ElementTest("tag", value=found["tag"].lower())
    if found["class"]:
        return ElementTest("attribute", "class", "~=", found["class"])
    if found["id"]:
        return ElementTest("attribute", "id", "=", found["id"])
    if found["name"]:
        value = next((found[kind] for kind in ("double", "single", "bare") if found[kind] is not None), "")
        return ElementTest("attribute", found["name"].lower(), found["how"] or "", value)
    if found["position"]:
        return ElementTest(found["position"], value=found["number"])
    return ElementTest("nth-child", value="1") if found["end"] == "first-child" else ElementTest("last-child")


def _parse_xpath(text: str) -> ElementQuery:
    path = text.removeprefix(".")
    end = _XPATH_END.search(path)
    source = (end["name"] or "") if end else ""
    path = path[: end.start()] if end else path
    steps, place = [], 0
    while place < len(path):
        found = _XPATH_STEP.match(path, place)
        if found is None:
            raise _unknown(text, path[place:])
        tests = (ElementTest("tag", value=found["tag"].lower()), *_xpath_tests(found["tests"], text))
        steps.append(QueryStep(found[1] == "/", tests))
        place = found.end()
    return ElementQuery((tuple(steps),) if steps else (), source)


def _xpath_tests(tests: str, whole: str) -> Iterator[ElementTest]:
    place = 0
    while place < len(tests):
        found = _XPATH_TEST.match(tests, place)
        if found is None:
            raise _unknown(whole, tests[place:])
        if found["number"]:
            yield ElementTest("nth-of-type", value=found["number"])
        elif found[2] is not None:
            yield ElementTest("attribute", "class", "~=", found[2])
        elif found["has"]:
            yield ElementTest("attribute", found["has"], "*=", found["part"])
        else:
            yield ElementTest("attribute", found["name"], "" if found["value"] is None else "=", found["value"] or "")
        place = found.end()


def _ends_at(steps: tuple[QueryStep, ...], element: Element, start: Element) -> bool:
    """Whether the steps, begun at the start, may end at the element."""
    *before, last = steps
    if not all(test.holds(element) for test in last.tests):
        return False
    above = element.parent
    if not before:
        return not last.child or above is start
    while above is not None and above is not start:
        if _ends_at(tuple(before), above, start):
            return True
        if last.child:
            return False
        above = above.parent
    return False


_COMPARED: dict[str, Callable[[str, str], bool]] = {
    "": lambda _text, _wanted: True,
    "=": lambda text, wanted: text == wanted,
    "~=": lambda text, wanted: wanted in text.split(),
    "^=": lambda text, wanted: bool(wanted) and text.startswith(wanted),
    "$=": lambda text, wanted: bool(wanted) and text.endswith(wanted),
    "*=": lambda text, wanted: bool(wanted) and wanted in text,
    "|=": lambda text, wanted: text == wanted or text.startswith(f"{wanted}-"),
}


def _unknown(whole: str, part: str) -> UsageError:
    return UsageError(
        f"the selector {whole!r} has something in it that is not known here: {part[:40]!r}",
        advice="use tags, classes, ids, attributes and positions; ::text or ::attr(name), /text() or /@name at the end",
    )
