from __future__ import annotations

import pytest

from haenyeo.read.extract import extract_site
from haenyeo.read.paper.density import Density, densities_of, is_text
from haenyeo.read.paper.nodes import TextNode, all_nodes


def test_densities_follow_the_papers_formulas() -> None:
    nodes = [TextNode("one two", linked=False), TextNode("three", linked=True)]
    # Seven and five characters, six on average: 7/6 and 5/6 sentences.
    words, links = zip(*densities_of(nodes), strict=True)
    assert words == pytest.approx((2 / (7 / 6), 1 / (5 / 6)))
    assert links == (0.0, 1.0)


@pytest.mark.parametrize(
    ("before", "block", "behind", "expected"),
    [
        ((5, 0), (10, 0), (5, 0), True),
        ((5, 0), (10, 0), (0, 0), False),
        ((5, 0), (5, 0), (5, 0), True),
        ((3, 0), (5, 0), (5, 0), False),
        ((3, 0), (5, 0), (11, 0), True),
        ((5, 1), (20, 0), (5, 0), False),
        ((5, 1), (20, 0), (12, 0), True),
        ((5, 0), (20, 1), (12, 0), False),
    ],
)
def test_the_tree_looks_at_the_neighbours(
    before: tuple[float, float], block: tuple[float, float], behind: tuple[float, float], expected: bool
) -> None:
    assert is_text(Density(*before), Density(*block), Density(*behind)) is expected


def test_text_nodes_in_links_are_told() -> None:
    nodes = all_nodes("<p>a <a href=x>b <b>c</b></a></p>")
    assert [(node.text, node.linked) for node in nodes] == [("a", False), ("b", True), ("c", True)]
    assert nodes[2].tags[:3] == ("b", "a", "p")


def test_links_are_no_text() -> None:
    html = "<a href=x>Home</a><p>The first long sentence of the page.</p><p>And the second of them.</p><p>End</p>"
    assert "Home" not in extract_site([("https://b.example/", html)], method="density")[0].text
