"""Sources whose links are mostly dead lose credit, others none."""

from __future__ import annotations

from haenyeo.collect.links.credit import LEAST, MOST_SOURCES, Credit
from haenyeo.model.pages import Url
from haenyeo.store import StoredLink


def link_of(source: str | None, path: str = "") -> StoredLink:
    found_on = None if source is None else Url(f"http://reef.example/{source}")
    return StoredLink(
        ref=1, url=Url("http://reef.example/fish"), site="reef.example", score=0.5, depth=1, source=found_on,
        anchor="", before="", after="", path=path,
    )  # fmt: skip


LIST, PAGE = link_of("sitemap.xml"), link_of("", path="body>ul>li")


def test_a_few_dead_links_cost_nothing() -> None:
    credit = Credit()
    for alive in (False, True, False, True):
        credit.count(LIST, alive=alive)
    assert credit.factor(LIST) == 1.0


def test_a_list_of_the_dead_loses_all_but_a_little_and_only_that_list() -> None:
    credit = Credit()
    factors = []
    for _ in range(100):
        credit.count(LIST, alive=False)
        factors.append(credit.factor(LIST))
    assert factors == sorted(factors, reverse=True)
    assert factors[-1] == LEAST
    assert len(set(factors)) <= 7, "each step puts waiting links in order anew"
    assert credit.factor(PAGE) == credit.factor(link_of(None)) == 1.0


def test_living_links_give_credit_back() -> None:
    credit = Credit()
    for _ in range(10):
        credit.count(LIST, alive=False)
    for _ in range(30):
        credit.count(LIST, alive=True)
    assert credit.factor(LIST) == 1.0


def test_only_so_many_sources_are_remembered() -> None:
    credit = Credit()
    for number in range(MOST_SOURCES + 5):
        credit.count(link_of(str(number)), alive=False)
    assert len(credit._tried) == len(credit._factors) == MOST_SOURCES


def test_links_of_pages_can_be_left_to_the_scorer() -> None:
    credit = Credit()
    credit.lists_only = True
    for _ in range(100):
        credit.count(LIST, alive=False)
        credit.count(PAGE, alive=False)
    assert credit.factor(PAGE) == 1.0
    assert credit.factor(LIST) == LEAST
