"""Where elements stand: steps of tag, classes and position, for ourselves, and as CSS or XPath for others."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from haenyeo.watch.rules.places.query import parse_query
from haenyeo.watch.rules.places.tree import Element, Tree

_PLAIN = re.compile(r"-?[a-zA-Z_][\w-]*\Z")


class Step(msgspec.Struct, frozen=True, omit_defaults=True):
    """An element of this tag that has all the classes and, if `nth` is not 0, is the nth of its tag among siblings."""

    tag: str
    classes: tuple[str, ...] = ()
    nth: int = 0

    def fits(self, element: Element) -> bool:
        """Whether this step describes the element."""
        return (
            element.tag == self.tag
            and (not self.nth or element.nth == self.nth)
            and all(name in element.classes for name in self.classes)
        )

    def css(self) -> str:
        """The step as CSS."""
        position = f":nth-of-type({self.nth})" if self.nth else ""
        return self.tag + "".join(_css_class(name) for name in self.classes) + position

    def xpath(self) -> str:
        """The step as XPath."""
        classes = "".join(
            f"[contains(concat(' ', normalize-space(@class), ' '), {_quoted(f' {name} ')})]" for name in self.classes
        )
        # A position behind a condition would count only those that fulfil it.
        return f"{self.tag}{f'[{self.nth}]' if self.nth else ''}{classes}"


class Selector(msgspec.Struct, frozen=True, omit_defaults=True):
    """Steps from an element to those below it, each one level down; `anywhere`: the first at any depth.

    `own` is CSS or XPath that the user wrote; it stands in place of steps.
    """

    steps: tuple[Step, ...] = ()
    anywhere: bool = False
    own: str = ""

    def select(self, tree: Tree, start: Element | None = None) -> list[Element]:
        """The elements found from the start (the body if none is given), in document order."""
        if not tree.elements:
            return []
        start = start or tree.elements[0]
        if self.own:
            query = parse_query(self.own)
            return query.select(tree.elements[start.number + 1 : start.end], start) if query.alternatives else [start]
        if not self.anywhere:
            found = [start]
            for step in self.steps:
                found = [child for element in found for child in element.children if step.fits(child)]
            return found
        inside = tree.elements[start.number + 1 : start.end]
        return [element for element in inside if self._ends_at(element, start)]

    def _ends_at(self, element: Element, start: Element) -> bool:
        here: Element | None = element
        for step in reversed(self.steps):
            if here is None or here is start or not step.fits(here):
                return False
            here = here.parent
        return True

    def css(self) -> str:
        """The selector as CSS, relative to the element it starts from (`body` for a record's)."""
        if self.own:
            return self.own
        path = " > ".join(step.css() for step in self.steps)
        if not path:
            return ":scope"
        return path if self.anywhere else f":scope > {path}"

    def xpath(self) -> str:
        """The selector as XPath, relative to the element it starts from."""
        if self.own:
            return self.own
        path = "/".join(step.xpath() for step in self.steps)
        if not path:
            return "."
        return f".//{path}" if self.anywhere else f"./{path}"


def common_steps(ancestries: Sequence[Sequence[Element]], *, positions: bool = False) -> tuple[Step, ...]:
    """The steps that elements of equally long ancestries share: tags, common classes and, if asked for, positions."""
    return tuple(_common_step(level, positions=positions) for level in zip(*ancestries, strict=True))


def _common_step(level: Sequence[Element], *, positions: bool) -> Step:
    first = level[0]
    classes = tuple(name for name in first.classes if all(name in element.classes for element in level))
    nth = first.nth if positions and all(element.nth == first.nth for element in level) else 0
    return Step(first.tag, classes, nth)


def _css_class(name: str) -> str:
    if _PLAIN.match(name):
        return f".{name}"
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'[class~="{escaped}"]'


def _quoted(text: str) -> str:
    """A string of XPath, which knows no escapes."""
    if '"' not in text:
        return f'"{text}"'
    if "'" not in text:
        return f"'{text}'"
    return "concat(" + ", '\"', ".join(f'"{part}"' for part in text.split('"')) + ")"
