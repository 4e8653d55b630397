"""Learning a rule from a page, with example records or without."""

from __future__ import annotations

from collections.abc import Sequence

from haenyeo.watch.rules.examples import Example, learn_from_examples
from haenyeo.watch.rules.find import find_records
from haenyeo.watch.rules.rule import Rule
from haenyeo.watch.rules.tree import Tree


def learn_rule(html: str, examples: Sequence[Example] | None = None) -> Rule | None:
    """A rule for the records of a list page; None when the page has none like the examples, or no list at all.

    One or two examples suffice, each a mapping of field names to values as they stand in the page: a text, or an
    address as written. Without examples the fields are named `title`, `link`, `date`, `price`, `snippet`, `image`.
    """
    tree = Tree(html)
    return learn_from_examples(tree, examples) if examples else find_records(tree)
