"""Rules: where the records of a list page are, and what is known of their fields."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from haenyeo.watch.rules.places.sections import Heading
from haenyeo.watch.rules.places.selector import Selector
from haenyeo.watch.rules.places.tree import Element, Tree
from haenyeo.watch.rules.profile import Profile
from haenyeo.watch.rules.values import file_suffix, is_dated

Row = dict[str, str]


class Field(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How to take one field, and what its values look like.

    `source` is the attribute that has the value, or empty for the text. The `selectors` are tried in turn, from the
    record or, when `shared`, from the body: a shared value, such as a date above a day's records, holds for the records
    that follow it. `only` drops values of another kind: `date`, or a file's suffix such as `.pdf`.
    `profile` and `values` are of the last page the rule was fitted to; `labels` are the words its markup and column
    heading call it by, `tag` its element, `linked` whether it stands in a link, `anchors` the texts of its links.
    """

    source: str = ""
    selectors: tuple[Selector, ...]
    shared: bool = False
    only: str = ""
    profile: Profile = Profile()
    values: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    tag: str = ""
    linked: bool = False
    anchors: Profile = Profile()

    def accepts(self, value: str) -> bool:
        """Whether the value is there and of the right kind."""
        return bool(value) and is_of_kind(value, self.only)

    def find(self, tree: Tree, start: Element) -> Iterator[Element]:
        """The elements with acceptable values that the first fruitful selector finds from the start."""
        for selector in self.selectors:
            elements = selector.select(tree, start)
            found = [element for element in elements if self.accepts(tree.value(element, self.source))]
            if found:
                yield from found
                return


def is_of_kind(value: str, only: str) -> bool:
    """Whether a value is of the kind that a field's `only` asks for."""
    if not only:
        return True
    return is_dated(value) if only == "date" else f".{file_suffix(value)}" == only


class Rule(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Records are the elements that `record` finds from the body, of them those `under` a heading; each becomes a row.

    `around` are words that all of them had, or the headings above them. `version` counts repairs; `confidence`, 0 to 1,
    is how sure the last fitting was; `rows` is how many it found.
    """

    record: Selector
    fields: dict[str, Field]
    version: int = 1
    confidence: float = 1.0
    rows: int = 0
    under: Heading | None = None
    around: tuple[str, ...] = ()

    def extract(self, html: str) -> list[Row]:
        """The rows of a page, in its order; fields without a value are left out, addresses are as written."""
        tree = Tree(html)
        return [self.values_of(tree, row) for row in self.find(tree)]

    def values_of(self, tree: Tree, row: dict[str, Element]) -> Row:
        """The values in a row's elements."""
        return {name: tree.value(node, self.fields[name].source) for name, node in row.items()}

    def find(self, tree: Tree) -> list[dict[str, Element]]:
        """The elements that hold the values, row by row; a row has at least one field of its own."""
        return [row for _, row in self.records(tree)]

    def records(self, tree: Tree) -> list[tuple[Element, dict[str, Element]]]:
        """The records' elements, each with its row."""
        if not tree.elements:
            return []
        body = tree.elements[0]
        shared = {name: list(field.find(tree, body)) for name, field in self.fields.items() if field.shared}
        roots, found = self.record.select(tree), list[tuple[Element, dict[str, Element]]]()
        for root in self.under.stands_above(tree, roots) if self.under else roots:
            row = self._own(tree, root)
            if row:
                row |= {name: _nearest(nodes, root) for name, nodes in shared.items() if nodes}
                found.append((root, {name: row[name] for name in self.fields if name in row}))
        return found

    def _own(self, tree: Tree, root: Element) -> dict[str, Element]:
        found = {name: next(field.find(tree, root), None) for name, field in self.fields.items() if not field.shared}
        return {name: node for name, node in found.items() if node is not None}

    def selectors(self) -> dict[str, dict[str, str]]:
        """CSS and XPath for other tools: the record's from the body, the fields' from the record or the body.

        Under which heading records stand only XPath can say.
        """
        named = {"": self.record} | {name: field.selectors[0] for name, field in self.fields.items() if field.selectors}
        written = {name: {"css": selector.css(), "xpath": selector.xpath()} for name, selector in named.items()}
        if self.under is not None:
            written[""]["xpath"] += self.under.condition()
        return written

    def to_json(self) -> bytes:
        """The rule as readable JSON."""
        return msgspec.json.format(msgspec.json.encode(self), indent=1)

    @classmethod
    def from_json(cls, data: bytes | str) -> Rule:
        """The rule that `to_json` wrote."""
        return msgspec.json.decode(data, type=cls)


def _nearest(nodes: list[Element], root: Element) -> Element:
    """The last of the nodes before the record, or the first of all."""
    return next((node for node in reversed(nodes) if node.number <= root.number), nodes[0])
