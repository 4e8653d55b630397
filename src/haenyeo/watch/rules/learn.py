"""Making a rule for a page: from example records, without, or from selectors that the user or another tool has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from haenyeo.model.errors import UsageError
from haenyeo.watch.rules.examples import Example, learn_from_examples
from haenyeo.watch.rules.find import find_records
from haenyeo.watch.rules.fit import remembering
from haenyeo.watch.rules.places.query import parse_query
from haenyeo.watch.rules.places.selector import Selector
from haenyeo.watch.rules.places.tree import Tree
from haenyeo.watch.rules.rule import Field, Rule


def learn_rule(html: str, examples: Sequence[Example] | None = None) -> Rule | None:
    """A rule for the records of a list page; None when the page has none like the examples, or no list at all.

    One or two examples suffice, each a mapping of field names to values as they stand in the page: a text, or an
    address as written. Without examples the fields are named `title`, `link`, `date`, `price`, `snippet`, `image`.
    """
    tree = Tree(html)
    return learn_from_examples(tree, examples) if examples else find_records(tree)


class SelectorSet(msgspec.Struct, frozen=True, kw_only=True):
    """Where the records of a page are, and their fields in each record: CSS or XPath, as parsel reads them."""

    select: str
    fields: dict[str, str]


class _OneWay(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A selector that says which language it is in, as the methods of parsel are called."""

    css: str = ""
    xpath: str = ""


class _Written(msgspec.Struct, frozen=True):
    """Selectors as they stand in a file."""

    select: str | _OneWay
    fields: dict[str, str | _OneWay]


def read_selectors(data: bytes) -> SelectorSet:
    """The selectors of a JSON file such as {"select": "li.item", "fields": {"title": "h3::text"}}.

    A selector may say its language: {"css": "h3::text"}, {"xpath": ".//h3/text()"}.
    """
    try:
        written = msgspec.json.decode(data, type=_Written)
        fields = {name: _text(selector) for name, selector in written.fields.items()}
        return SelectorSet(select=_text(written.select), fields=fields)
    except (msgspec.DecodeError, ValueError) as error:
        raise UsageError(
            f"the selectors cannot be read: {error}",
            advice='write them as {"select": "li.item", "fields": {"title": "h3::text", "link": "a::attr(href)"}}',
        ) from error


def _text(selector: str | _OneWay) -> str:
    """The selector itself; an XPath is written so that it is told from CSS."""
    if isinstance(selector, str):
        return selector
    if bool(selector.css) == bool(selector.xpath):
        raise ValueError("a selector has either css or xpath")
    relative = selector.xpath and not selector.xpath.startswith(("/", "./", "("))
    return selector.css or (f"./{selector.xpath}" if relative else selector.xpath)


def own_rule(html: str, selectors: SelectorSet) -> Rule:
    """The rule of these selectors, with what its fields look like on the page.

    Raises `UsageError` when the page has no records there, or none of a field.
    """
    if not selectors.fields:
        raise UsageError("there are no fields", advice="name at least one: --field title='h3'")
    rule = Rule(record=Selector(own=selectors.select), fields=_fields(selectors.fields))
    tree = Tree(html)
    rows = rule.find(tree)
    if not rows:
        found = len(rule.record.select(tree))
        raise UsageError(
            f"{selectors.select!r} finds {found} elements on the page, and no field in any of them",
            advice="try the selectors in a browser, on the page as it comes without scripts",
        )
    missing = [name for name in rule.fields if not any(name in row for row in rows)]
    if missing:
        raise UsageError(
            f"{len(rows)} records are found, but nothing for {', '.join(missing)}",
            advice="a field's selector begins at the record",
        )
    return remembering(tree, rule)


def _fields(written: Mapping[str, str]) -> dict[str, Field]:
    return {
        name: Field(source=parse_query(text).source, selectors=(Selector(own=text),)) for name, text in written.items()
    }
