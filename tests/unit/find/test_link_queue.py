import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.find import link_queue
from haenyeo.find.link_queue import LinkQueue, decode, encode, encode_one, reference_of, score_of

_REFS = st.integers(0, 2**44 - 2)
_SCORES = st.floats(0, 1) | st.floats() | st.sampled_from([0.0, 1.0, 2.0**-31, math.nan, math.inf])


@given(_REFS, _SCORES)
def test_one_link_and_many_are_encoded_alike(ref: int, score: float) -> None:
    key = encode_one(ref, score)
    assert encode([ref], [score]).tolist() == [key]
    assert reference_of(key) == ref
    refs, scores = decode(np.array([key], np.uint64))
    assert (refs[0], scores[0]) == (ref, score_of(key))


@given(st.floats(2.0**-31, 1.0))
def test_a_score_is_kept_to_one_part_in_thirty_thousand(score: float) -> None:
    kept = score_of(encode_one(1, score))
    assert kept <= score
    assert kept == pytest.approx(score, rel=1 / 32768)
    assert encode_one(1, kept) == encode_one(1, score)


@given(st.lists(st.lists(st.tuples(st.integers(0, 2000), st.floats(0, 1)), max_size=40), max_size=8))
def test_links_come_out_best_first_then_by_reference(pages: list[list[tuple[int, float]]]) -> None:
    queue, keys = LinkQueue(), list[int]()
    for page in pages:
        new = [encode_one(ref, score) for ref, score in page]
        queue.add(new)
        keys = sorted([*keys, *new])
        assert len(queue) == len(keys)
        for _ in range(len(keys) // 3):
            assert queue.pop() == keys.pop()
    assert queue.first(5) == keys[::-1][:5]
    assert [queue.pop() for _ in range(len(queue))] == keys[::-1]
    assert queue.best == 0


@pytest.mark.parametrize("bulk", [1, 100, 5000])
def test_order_holds_when_links_overflow_to_the_stock_and_back(bulk: int) -> None:
    random = np.random.default_rng(bulk)
    queue, keys = LinkQueue(), list[int]()
    for page in range(60):
        new = encode(random.integers(0, 2**40, bulk), random.random(bulk) / (1 + page % 7))
        new.sort()
        if page % 5 == 0:
            queue.add_many(new)
        else:
            queue.add(new.tolist())
        keys = sorted([*keys, *new.tolist()])
        taken = bulk // 2
        assert [queue.pop() for _ in range(taken)] == [keys.pop() for _ in range(taken)]
        assert queue.best == keys[-1]
    assert queue.first(3000) == keys[::-1][:3000]
    assert sorted(queue.keys().tolist()) == keys
    assert [queue.pop() for _ in range(len(queue))] == keys[::-1]


def test_a_link_added_twice_is_counted_and_given_twice() -> None:
    queue = LinkQueue()
    twice = [encode_one(ref, 0.5) for ref in range(3000)] * 2
    queue.add(twice)
    assert len(queue) == 6000
    assert [queue.pop() for _ in range(6000)] == sorted(twice, reverse=True)


def test_memory_of_taken_links_is_given_back() -> None:
    queue = LinkQueue()
    queue.add_many(np.sort(encode(range(100_000), np.full(100_000, 0.5))))
    for _ in range(90_000):
        queue.pop()
    stock = queue._stock
    assert stock is not None
    held = sum(len(run if run.base is None else run.base) for run in stock._runs)
    assert held <= 2 * len(queue) + 2 * link_queue._FRONT
