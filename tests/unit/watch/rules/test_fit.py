from __future__ import annotations

from haenyeo.watch.rules.fit import Fit, fitted_rule, in_link, labels_of, remembering, shared_column, words_in
from haenyeo.watch.rules.places.columns import ValueColumn
from haenyeo.watch.rules.places.groups import Group
from haenyeo.watch.rules.places.tree import Tree

HTML = """<h4>2024-03-01</h4><p><a class="headTitle" href="/1">One</a></p><h4>2024-03-02</h4>
<p><a class="headTitle" href="/2">Two</a></p><p><a class="headTitle" href="/3">Three</a></p>"""


def fit_of(tree: Tree) -> Fit:
    paragraphs, links, days = ([e for e in tree.elements if e.tag == tag] for tag in ("p", "a", "h4"))
    names = ValueColumn("", links, [tree.text(link) for link in links], [p.number for p in paragraphs], 1)
    return Fit(
        Group("path", paragraphs),
        {"name": names},
        {"day": shared_column(tree, days, "")},
        {"name": "", "day": "date"},
        0.0,
    )


def test_the_rule_gives_the_rows_of_the_fit() -> None:
    tree = Tree(HTML)
    fit = fit_of(tree)
    expected = [
        {"name": "One", "day": "2024-03-01"},
        {"name": "Two", "day": "2024-03-02"},
        {"name": "Three", "day": "2024-03-02"},
    ]
    assert fit.rows() == expected
    assert fitted_rule(tree, fit).extract(HTML) == expected


def test_a_fitted_rule_remembers_what_its_fields_look_like() -> None:
    tree = Tree(HTML)
    rule = fitted_rule(tree, fit_of(tree), version=3, confidence=0.5)
    assert (rule.version, rule.confidence, rule.rows) == (3, 0.5, 3)
    name = rule.fields["name"]
    assert name.values == ("One", "Two", "Three")
    assert name.linked
    assert name.tag == "a"
    assert {"head", "title", "name"} <= set(name.labels)
    assert rule.fields["day"].profile.kinds == {"date": 1.0}


def test_a_field_that_finds_nothing_keeps_what_it_knew() -> None:
    tree = Tree(HTML)
    rule = fitted_rule(tree, fit_of(tree))
    assert remembering(Tree("<p>x</p>"), rule).fields == rule.fields


def test_cells_are_labelled_by_the_head_of_their_column() -> None:
    tree = Tree("<table><tr><th>No<th>Case name<tr><td>1<td><b id='theName'>x</b></table>")
    bold = next(element for element in tree.elements if element.tag == "b")
    assert labels_of(tree, bold) == {"the", "name", "case"}


def test_names_are_taken_apart_into_words() -> None:
    assert words_in("views-fieldDate_2 게시일") == {"views", "field", "date", "게시일"}


def test_what_stands_in_a_link_is_linked() -> None:
    elements = Tree("<a><b>x</b></a><p>y").elements
    assert [in_link(element) for element in elements[1:]] == [True, True, False]
