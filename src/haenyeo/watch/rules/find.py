"""Finding the records of a page without examples: the group that most of the page's data stands in.

Its columns are named by what their values look like: `title` and `link`, `date`, `price`, `snippet`, `image`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import islice

from haenyeo.watch.rules.fit import Fit, fitted_rule
from haenyeo.watch.rules.places.columns import ValueColumn, columns
from haenyeo.watch.rules.places.groups import Group, Labels, in_navigation, record_groups
from haenyeo.watch.rules.places.tree import Tree
from haenyeo.watch.rules.rule import Rule
from haenyeo.watch.rules.values import is_dated, value_kind

LEAST_RECORDS = 3
"""Fewer like elements are no list."""
LEAST_FILLED = 0.6
"""Share of the records that have a field."""

_FIELDS = ("title", "link", "date", "price", "snippet", "image")
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_LONGEST_TITLE, _SHORTEST_SNIPPET = 150, 60
_NAVIGATION_COSTS = 3.0


def find_records(tree: Tree) -> Rule | None:
    """The rule for the records that the page is about; None when it has no list."""
    labels = Labels(tree)
    fits = (_fit(tree, labels, group) for group in record_groups(tree, labels) if len(group.roots) >= LEAST_RECORDS)
    best = max((fit for fit in fits if fit is not None), key=lambda fit: fit.score, default=None)
    return fitted_rule(tree, best) if best else None


def _fit(tree: Tree, labels: Labels, group: Group) -> Fit | None:
    """The group with its named columns; None when it has no titles that tell records apart."""
    least = LEAST_FILLED * len(group.roots)
    held = [
        column for column in columns(tree, labels, group, ("", "href", "src")) if sum(map(bool, column.values)) >= least
    ]
    named = _named(held)
    if "title" not in named:
        return None
    letters = sum(min(len(value), 100) for column in named.values() if not column.source for value in column.values)
    score = math.log1p(letters) + len(named) / 2 + ("link" in named)
    score -= _NAVIGATION_COSTS * in_navigation(group.roots[0])
    only = {name: "date" if name == "date" else "" for name in _FIELDS if name in named}
    return Fit(group, named, {}, only, score)


def _named(held: Sequence[ValueColumn]) -> dict[str, ValueColumn]:
    """The columns that are fields, by name."""
    texts = [column for column in held if not column.source]
    links = [column for column in held if column.source == "href"]
    found: dict[str, ValueColumn | None] = {
        "date": _shortest(texts, is_dated),
        "price": _shortest(texts, _is_price),
        "image": _first(held, lambda column: column.source == "src" and column.nodes[0].tag == "img"),
    }
    title = max(
        (column for column in texts if column not in found.values() and _may_be_title(column, texts)),
        key=lambda column: _title_rank(column, links),
        default=None,
    )
    if title is not None:
        found["title"] = title
        found["link"] = _first(links, lambda column: _is_around(column, title)) or next(iter(links), None)
        found["snippet"] = _first(texts, lambda column: _is_snippet(column, title))
    return {name: column for name in _FIELDS if (column := found.get(name)) is not None}


def _may_be_title(column: ValueColumn, texts: Iterable[ValueColumn]) -> bool:
    """Whether the texts tell records apart, are not too long, and are not made of several fields."""
    different = len(set(column.values)) / len(column.values)
    if different <= 1 / 2 or not 1 < _mean_length(column) <= _LONGEST_TITLE or _share(column, _is_text) <= 1 / 2:
        return False
    return not any(other is not column and _is_around(column, other) for other in texts)


def _title_rank(column: ValueColumn, links: Iterable[ValueColumn]) -> tuple[bool, bool, float]:
    """Headings first, then links, then the longest."""
    heading = any(element.tag in _HEADINGS for element in islice(column.nodes[0].around(), 3))
    return heading, any(_is_around(link, column) for link in links), _mean_length(column)


def _is_snippet(column: ValueColumn, title: ValueColumn) -> bool:
    """Whether the texts are long and do not have the titles in them."""
    return _mean_length(column) >= _SHORTEST_SNIPPET and not _is_around(column, title)


def _is_around(outer: ValueColumn, inner: ValueColumn) -> bool:
    """Whether in most records the node of one column is or holds that of the other."""
    held = dict(zip(inner.roots, inner.nodes, strict=True))
    pairs = [(node, held[root]) for root, node in zip(outer.roots, outer.nodes, strict=True) if root in held]
    return 2 * sum(node.holds(other) for node, other in pairs) > len(pairs)


def _shortest(held: Sequence[ValueColumn], fits: Callable[[str], bool]) -> ValueColumn | None:
    """The column with the least besides values that fit."""
    return min((column for column in held if _share(column, fits) >= LEAST_FILLED), key=_mean_length, default=None)


def _first(held: Sequence[ValueColumn], fits: Callable[[ValueColumn], bool]) -> ValueColumn | None:
    return next((column for column in held if fits(column)), None)


def _share(column: ValueColumn, fits: Callable[[str], bool]) -> float:
    return sum(fits(value) for value in column.values) / len(column.values)


def _is_price(value: str) -> bool:
    return value_kind(value) == "price"


def _is_text(value: str) -> bool:
    return value_kind(value) in ("text", "dated")


def _mean_length(column: ValueColumn) -> float:
    return sum(map(len, column.values)) / len(column.values)
