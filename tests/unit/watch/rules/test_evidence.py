from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from haenyeo.watch.rules.evidence import FieldMemory, Looks, suffix_shares
from haenyeo.watch.rules.examples import learn_from_examples
from haenyeo.watch.rules.places.columns import ValueColumn
from haenyeo.watch.rules.places.tree import Tree
from haenyeo.watch.rules.rule import Field

LINKS = "".join(f'<p><a href="/o/{n}.pdf">Opinion {n}</a> <a href="/h/{n}">Help</a></p>' for n in range(5))


def column(tree: Tree, source: str, nth: int) -> ValueColumn:
    nodes = [element for element in tree.elements if element.tag == "a" and element.nth == nth]
    return ValueColumn(source, nodes, [tree.value(node, source) for node in nodes], [node.number for node in nodes])


@pytest.fixture
def memory() -> FieldMemory:
    tree = Tree(LINKS)
    rule = learn_from_examples(tree, [{"file": "/o/1.pdf"}, {"file": "/o/2.pdf"}])
    assert rule is not None
    return FieldMemory(rule.fields["file"], rule.rows)


def test_the_column_of_old_has_more_evidence_than_another(memory: FieldMemory) -> None:
    tree = Tree(LINKS)
    right, wrong = (memory.evidence(Looks(tree), column(tree, "href", nth), 5) for nth in (1, 2))
    assert right is not None
    assert wrong is not None
    assert right.seen == right.suffix == right.filled == 1
    assert wrong.suffix < 0
    assert (memory.score(Looks(tree), column(tree, "href", 1), 5) or 0) > 5


def test_new_values_of_the_same_look_still_have_evidence(memory: FieldMemory) -> None:
    tree = Tree(LINKS.replace("/o/", "/media/9"))
    score = memory.score(Looks(tree), column(tree, "href", 1), 5)
    assert score is not None
    assert score > 3


def test_files_are_kept_among_other_links_as_long_as_most_are_files(memory: FieldMemory) -> None:
    assert memory.only(["/a.pdf", "/b.pdf", "/c"]) == ".pdf"
    assert memory.only(["/a.pdf", "/b", "/c"]) == ""


def test_a_date_is_only_looked_for_among_dates(make_items: Callable[..., Any], make_page: Callable[..., Any]) -> None:
    items = make_items(10)
    tree = Tree(make_page(items))
    rule = learn_from_examples(tree, items[:2])
    assert rule is not None
    dates = FieldMemory(rule.fields["date"], rule.rows)
    titles = [element for element in tree.elements if element.tag == "a" and element.classes]
    assert dates.only([]) == "date"
    assert dates.evidence(Looks(tree), ValueColumn("", titles, [tree.text(t) for t in titles], []), len(titles)) is None


def test_a_field_without_values_remembers_nothing() -> None:
    empty = FieldMemory(Field(selectors=()), 0)
    assert empty.only(["x"]) == ""


def test_suffixes_are_shares_of_all_addresses() -> None:
    assert suffix_shares(["a.pdf", "b.pdf", "c", "d.doc"]) == {"pdf": 0.5, "doc": 0.25}


def test_a_column_that_is_called_like_the_field_has_more_evidence() -> None:
    cells = "".join(f"<tr><td>No. {n}</td><td>A v. B{n}</td></tr>" for n in range(5))
    tree = Tree(f"<table><tr><th>Case No.</th><th>Case Name</th></tr>{cells}</table>")
    memory = FieldMemory(Field(selectors=(), values=("In re C",), labels=("title",)), 5, name="name")
    nodes = [element for element in tree.elements if element.tag == "td"]
    both = [
        ValueColumn(
            "", nodes[nth::2], [tree.text(node) for node in nodes[nth::2]], [node.number for node in nodes[nth::2]]
        )
        for nth in (0, 1)
    ]
    numbers, names = (memory.evidence(Looks(tree), column, 5) for column in both)
    assert numbers is not None
    assert names is not None
    assert (numbers.named, names.named) == (0.0, 1.0)
