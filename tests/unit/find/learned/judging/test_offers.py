"""What the lists name that a user began with."""

from __future__ import annotations

from math import log

import numpy as np
import pytest

from haenyeo.find.learned.judging.linkage import PageLinking
from haenyeo.find.learned.judging.offers import NOTHING_OFFERED, offered, offers_some


def _page(*lists: range, offers: tuple[int, ...] = (0,)) -> PageLinking:
    """A page with these lists, of which some are offered."""
    targets = np.array([key for keys in lists for key in keys], np.uint32)
    numbers = np.repeat(np.arange(len(lists)), [len(keys) for keys in lists]).astype(np.uint16)
    return PageLinking(targets, numbers, np.array(offers, np.uint16))


_FETCHED = set(range(1_000))


def test_what_stands_beside_examples_is_offered() -> None:
    found = offered([_page(range(10), range(10, 20), offers=(0, 1))], {3, 4}, _FETCHED)
    assert set(found.named) == set(range(10))
    assert len(set(found.named.values())) == 1
    assert found.of(3) > 0 > found.of(10)


def test_it_says_how_many_times_more_often_pages_of_the_topic_stand_there() -> None:
    found = offered([_page(range(100))], {3, 4, 5}, set(range(998)))
    usual = 101 / 1_000
    assert found.of(0) == pytest.approx(log((3 + usual) / 4 / usual))
    assert found.of(200) == pytest.approx(log((1 - usual) / 4 / (1 - usual)))


def test_a_list_that_names_more_of_the_examples_says_more() -> None:
    page = _page(range(10))
    assert offered([page], {3, 4}, _FETCHED).of(0) > offered([page], {3, 99}, _FETCHED).of(0) > 0


def test_one_example_says_less_than_three() -> None:
    page = _page(range(10))
    assert offered([page], {3, 4, 5}, _FETCHED).of(0) > offered([page], {3}, _FETCHED).of(0)


def test_a_long_list_says_less_and_one_of_everything_next_to_nothing() -> None:
    short, long, all_ = (offered([_page(range(size))], {3}, _FETCHED).of(0) for size in (10, 200, 1_000))
    assert short > 1.5 * long > 0
    assert all_ < 0.01


def test_the_contents_of_a_book_say_nothing_as_long_as_only_the_book_was_read() -> None:
    book = _page(range(120))
    assert offered([book], {3}, set(range(120))).of(50) < 0.05
    assert offered([book], {3}, set(range(1_200))).of(50) > 1


def test_the_list_that_says_most_counts() -> None:
    both = [_page(range(200)), _page(range(10))]
    each = [offered(pages, {3}, _FETCHED).of(0) for pages in (both, both[::-1], both[1:])]
    assert len(set(each)) == 1


def test_without_examples_nothing_is_offered() -> None:
    assert offered([_page(range(10))], set(), _FETCHED) == NOTHING_OFFERED


def test_only_lists_that_are_offered_count() -> None:
    page = _page(range(10), offers=())
    assert not offers_some(page, {3})
    assert offers_some(_page(range(10)), {3})
    assert offered([page], {3}, _FETCHED) == NOTHING_OFFERED
