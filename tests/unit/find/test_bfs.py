from haenyeo.find.bfs import BreadthFirst
from haenyeo.find.frontier import Frontier
from haenyeo.model.pages import Link, Url
from haenyeo.model.parts import LinkScorer

_LINKS = [Link(url=Url(f"https://a.example/{number}")) for number in range(3)]


def test_links_of_nearer_pages_are_worth_more_at_any_depth_a_crawl_reaches() -> None:
    scorer: LinkScorer = BreadthFirst()
    scores = [scorer.score(_LINKS, depth)[0] for depth in (0, 1, 2, 50, 51, 5000, 5001)]
    assert scores == sorted(set(scores), reverse=True)
    assert all(0 < score <= 1 for score in scores)


def test_all_links_of_a_page_are_worth_the_same() -> None:
    scorer = BreadthFirst()
    assert len(set(scorer.score(_LINKS, 4))) == 1
    assert not scorer.score([], 4)


def test_with_the_frontier_the_order_is_first_in_first_out_by_depth() -> None:
    scorer, frontier = BreadthFirst(), Frontier()
    for ref, depth in enumerate((3, 1, 2, 1, 3, 2, 10_001, 10_000)):
        frontier.push("a", [ref], scorer.score(_LINKS[:1], depth))
    order = []
    while (link := frontier.pop(0.0)) is not None:
        frontier.release("a", 0.0)
        order.append(link[1])
    assert order == [1, 3, 2, 5, 0, 4, 7, 6]
