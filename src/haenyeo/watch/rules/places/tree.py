"""A page's elements in document order, with their text, as rules look at them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, cast

from selectolax.lexbor import LexborHTMLParser

from haenyeo.html.guard import guarded_tree

_LONGEST_LABEL = 24  # characters


class Element:
    """An element of a page.

    `number` counts in document order, `end` is the number behind its last descendant; `nth` counts among siblings of
    the same tag. `first` and `last` bound its pieces of text.
    """

    __slots__ = ("attributes", "children", "classes", "depth", "end", "first", "last", "nth", "number", "parent", "tag")

    def __init__(self, number: int, tag: str, attributes: dict[str, str | None], parent: Element | None) -> None:
        self.number = number
        self.end = number + 1
        self.tag = tag
        self.attributes = attributes
        self.classes = tuple(dict.fromkeys((attributes.get("class") or "").split()))
        self.parent = parent
        self.children: list[Element] = []
        self.nth = 1
        self.depth: int = parent.depth + 1 if parent else 0
        self.first = self.last = 0

    def holds(self, other: Element) -> bool:
        """Whether the other element is this one or stands in it."""
        return self.number <= other.number < self.end

    def ancestry(self) -> list[Element]:
        """The elements from the body's child down to this one; none for the body."""
        found: list[Element] = []
        element = self
        while element.parent is not None:
            found.append(element)
            element = element.parent
        return found[::-1]

    def around(self) -> Iterator[Element]:
        """This element and those around it, up to the body's child."""
        element = self
        while element.parent is not None:
            yield element
            element = element.parent


class Tree:
    """All elements of a page's body, the body first; empty for a page without one."""

    def __init__(self, html: str) -> None:
        self.elements: list[Element] = []
        self._pieces: list[str] = []
        self._texts: dict[int, str] = {}
        body = guarded_tree(html).body
        if body is not None:
            self._read(body)
            self._close()

    def _read(self, body: Any) -> None:
        at: dict[int, Element] = {}
        siblings: Counter[tuple[int, str]] = Counter()
        for node in cast("Iterable[Any]", body.traverse(include_text=True)):
            parent = at.get(node.parent.mem_id)
            tag = node.tag_id
            if tag == _TEXT:
                if parent is not None:
                    self._pieces.append(node.text_content)
                    parent.last = len(self._pieces)
            elif tag not in _PASSED and (parent is not None or not self.elements):
                element = Element(len(self.elements), node.tag, node.attributes, parent)
                element.first = element.last = len(self._pieces)
                at[node.mem_id] = element
                self.elements.append(element)
                if parent is not None:
                    siblings[parent.number, element.tag] += 1
                    element.nth = siblings[parent.number, element.tag]
                    parent.children.append(element)

    def _close(self) -> None:
        for element in reversed(self.elements):
            if element.parent is not None:
                element.parent.end = max(element.parent.end, element.end)
                element.parent.last = max(element.parent.last, element.last)

    def text(self, element: Element) -> str:
        """The text in the element, white space as single blanks."""
        text = self._texts.get(element.number)
        if text is None:
            text = " ".join("".join(self.pieces(element)).split())
            self._texts[element.number] = text
        return text

    def value(self, element: Element, source: str) -> str:
        """The element's text when `source` is empty, else the attribute of that name as written."""
        return (element.attributes.get(source) or "").strip() if source else self.text(element)

    def pieces(self, element: Element) -> list[str]:
        """The pieces of text in the element, as written."""
        return self._pieces[element.first : element.last]

    def label_of(self, element: Element) -> str:
        """The words that end in a colon at the beginning of the element's text or just before it; empty if none do."""
        first = "".join(self.pieces(element))[: 2 * _LONGEST_LABEL].strip()
        inside, colon, _ = first.partition(":")
        pieces = map(str.strip, reversed(self._pieces[max(0, element.first - 2) : element.first]))
        before = next(filter(None, pieces), "")
        label = inside if colon else before[:-1] if before.endswith(":") else ""
        return " ".join(label.split()) if len(label) <= _LONGEST_LABEL else ""

    def holds_text(self, element: Element, most_pieces: int = 400) -> bool:
        """Whether the element has text, and not so much that it cannot be a value."""
        return 0 < element.last - element.first <= most_pieces


def _numbers(names: str) -> frozenset[int]:
    tree = LexborHTMLParser("")
    return frozenset(cast("Any", tree.create_node(name)).tag_id for name in names.split())


_TEXT: int = cast("Any", LexborHTMLParser("text").body).first_child.tag_id
_PASSED = _numbers("script style noscript template svg head iframe") | {
    cast("Any", LexborHTMLParser("<body><!-- -->").body).first_child.tag_id
}
