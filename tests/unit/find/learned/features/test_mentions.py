"""What one more page with links tells of those it links to."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.find.learned.features.mentions import (
    Thrift,
    mark_doors,
    mark_doors_in_python,
    worth_describing,
    worth_describing_in_python,
)

_PAGES = 8
_TARGETS = st.lists(st.integers(0, _PAGES - 1), max_size=12).map(lambda targets: np.array(targets, np.int64))
_COUNTS = st.lists(st.integers(0, 70) | st.integers(0, 1 << 40), min_size=_PAGES, max_size=_PAGES)
_RELEVANCE = st.lists(st.sampled_from([np.nan, 0.0, 0.7]), min_size=_PAGES, max_size=_PAGES)
_MARKS = st.lists(st.integers(0, 3), min_size=_PAGES, max_size=_PAGES)


@given(_TARGETS, _COUNTS, _RELEVANCE, st.sampled_from([Thrift(), Thrift(rarely=4), Thrift(all_described=4)]))
def test_compiled_code_chooses_the_same(
    targets: np.ndarray, counts: list[int], relevance: list[float], thrift: Thrift
) -> None:
    quick, plain = np.array(counts, np.int64), np.array(counts, np.int64)
    found = worth_describing(targets, quick, np.array(relevance), thrift)
    assert found.tolist() == worth_describing_in_python(targets, plain, np.array(relevance), thrift).tolist()
    assert quick.tolist() == plain.tolist()


@given(_TARGETS, _MARKS, st.lists(st.integers(0, 3), max_size=3))
def test_compiled_code_marks_the_same_doors(targets: np.ndarray, homes: list[int], around: list[int]) -> None:
    quick, plain = np.zeros(_PAGES, np.bool_), np.zeros(_PAGES, np.bool_)
    mark_doors(targets, np.array(homes, np.int64), np.array(around, np.int64), quick)
    mark_doors_in_python(targets, np.array(homes, np.int64), np.array(around, np.int64), plain)
    assert quick.tolist() == plain.tolist()


def test_the_more_pages_link_to_one_the_fewer_of_their_links_are_described() -> None:
    mentions, unfetched = np.zeros(1, np.int64), np.array([np.nan])
    first = Thrift().all_described
    described = [len(worth_describing(np.zeros(1, np.int64), mentions, unfetched, Thrift())) for _ in range(8 * first)]
    doubling = [sum(described[size : 2 * size]) for size in (first, 2 * first, 4 * first)]
    assert sum(described[:first]) == first
    assert doubling == [first // 2] * 3


def test_a_page_that_links_twice_to_another_counts_once() -> None:
    mentions = np.zeros(1, np.int64)
    worth_describing(np.zeros(2, np.int64), mentions, np.array([np.nan]), Thrift())
    assert mentions.tolist() == [1]
