"""Sources whose links are mostly dead lose credit, others none."""

from __future__ import annotations

from haenyeo.collect.links.credit import LEAST, MOST_SOURCES, Credit
from haenyeo.model.pages import Url

LIST, PAGE = Url("http://reef.example/sitemap.xml"), Url("http://reef.example/")


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
    assert credit.factor(PAGE) == credit.factor(None) == 1.0


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
        credit.count(Url(f"http://reef.example/{number}"), alive=False)
    assert len(credit._tried) == len(credit._factors) == MOST_SOURCES
