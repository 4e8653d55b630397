from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from haenyeo.read.paper.nodes import TextNode, all_nodes, plain_nodes

PAGE = (
    "<head><title>T</title></head><header>top</header><p>one <em>two</em> three<script>s</script></p>"
    "<a href=/x>link</a><div>\n  four   five \n</div><footer>end</footer>"
)


def test_the_elements_of_the_paper_are_dropped_with_all_they_hold() -> None:
    assert plain_nodes(PAGE) == ["one", "three", "four five"]


def test_all_shown_nodes_know_their_tags_and_links() -> None:
    nodes = all_nodes(PAGE)
    assert [node.text for node in nodes] == ["top", "one", "two", "three", "link", "four five", "end"]
    assert [node.text for node in nodes if node.linked] == ["link"]
    assert nodes[2].tags[:2] == ("em", "p")


def test_plain_nodes_are_those_of_all_nodes_that_are_plain() -> None:
    assert [node.text for node in all_nodes(PAGE) if node.is_plain] == plain_nodes(PAGE)
    assert not TextNode("x", linked=True, tags=("a", "p")).is_plain


@given(
    html=st.lists(st.sampled_from(["<p>", "</p>", "<a>", "<em>", "</em>", "<b>", "x ", "가", "<div>", "</div>"])).map(
        "".join
    )
)
def test_both_ways_agree_on_any_page(html: str) -> None:
    plain = "".join(plain_nodes(html)).replace(" ", "")
    assert plain == "".join(node.text for node in all_nodes(html) if node.is_plain).replace(" ", "")
