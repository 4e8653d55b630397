"""What the lists name that a user began with."""

from __future__ import annotations

import numpy as np
import pytest

from haenyeo.find.learned.judging.linkage import PageLinking
from haenyeo.find.learned.judging.offers import offered, offers_some


def _page(*lists: range, offers: tuple[int, ...] = (0,)) -> PageLinking:
    """A page with these lists, of which some are offered."""
    targets = np.array([key for keys in lists for key in keys], np.uint32)
    numbers = np.repeat(np.arange(len(lists)), [len(keys) for keys in lists]).astype(np.uint16)
    return PageLinking(targets, numbers, np.array(offers, np.uint16))


def test_what_stands_beside_examples_is_offered() -> None:
    found = offered([_page(range(10), range(10, 20), offers=(0, 1))], {3, 4}, known=5_000)
    assert set(found) == set(range(10))
    assert len(set(found.values())) == 1


def test_a_list_that_names_more_of_the_examples_says_more() -> None:
    page = _page(range(10))
    assert offered([page], {3, 4}, known=5_000)[0] == pytest.approx(2 * offered([page], {3, 99}, known=5_000)[0])


def test_a_long_list_says_less_and_one_of_everything_nothing() -> None:
    short, long, all_ = (offered([_page(range(size))], {3}, known=5_000)[0] for size in (10, 200, 5_000))
    assert short > 1.5 * long > 0
    assert all_ == 0


def test_the_list_that_says_most_counts() -> None:
    both = [_page(range(200)), _page(range(10))]
    assert offered(both, {3}, 5_000)[0] == offered(both[::-1], {3}, 5_000)[0] == offered(both[1:], {3}, 5_000)[0]


def test_without_examples_nothing_is_offered() -> None:
    assert offered([_page(range(10))], set(), known=5_000) == {}


def test_only_lists_that_are_offered_count() -> None:
    page = _page(range(10), offers=())
    assert not offers_some(page, {3})
    assert offers_some(_page(range(10)), {3})
    assert offered([page], {3}, known=5_000) == {}
