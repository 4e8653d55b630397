import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.find.seen import SeenSet, url_hashes
from haenyeo.html.urls import url_hash

_EDGE = st.sampled_from([0, 1, 2**63, 2**64 - 1])
_BATCHES = st.lists(st.lists(_EDGE | st.integers(0, 40) | st.integers(0, 2**64 - 1), max_size=60), max_size=12)


@given(_BATCHES)
def test_it_answers_as_a_plain_set_would(batches: list[list[int]]) -> None:
    seen, with_arrays, by_place, plain = SeenSet(), SeenSet(), SeenSet(), set[int]()
    for batch in batches:
        expected = []
        for value in batch:
            expected.append(value not in plain)
            plain.add(value)
        assert seen.add(np.array(batch, np.uint64)).tolist() == expected
        assert with_arrays.add_in_python(np.array(batch, np.uint64)).tolist() == expected
        assert by_place.new_places(batch) == [place for place, is_new in enumerate(expected) if is_new]
        assert len(seen) == len(with_arrays) == len(by_place) == len(plain)
    assert all(value in seen and value in with_arrays for value in plain)


def test_a_repeat_inside_a_batch_is_new_once() -> None:
    assert SeenSet().add(np.array([7, 8, 7, 7], np.uint64)).tolist() == [True, True, False, False]


def test_nothing_is_lost_while_the_table_grows() -> None:
    values = np.random.default_rng(5).integers(0, 2**64, 200_000, dtype=np.uint64)
    seen = SeenSet()
    for start in range(0, len(values), 777):
        assert seen.add(values[start : start + 777]).all()
    assert not seen.add(values).any()
    assert len(seen) == len(values)


def test_a_bulk_larger_than_a_chunk_marks_each_hash_once() -> None:
    values = np.arange(150_000, dtype=np.uint64) % np.uint64(100_000)
    new = SeenSet().add(values)
    assert new[:100_000].all()
    assert not new[100_000:].any()


def test_hashes_aimed_at_one_bucket_are_kept_without_growing_the_table() -> None:
    inverse = pow(0x9E3779B97F4A7C15, -1, 2**64)
    aimed = np.array([number * inverse % 2**64 for number in range(1, 400)], np.uint64)
    seen = SeenSet()
    before = seen._table.nbytes
    assert seen.add(aimed).all()
    assert not seen.add(aimed).any()
    assert seen._table.nbytes == before


def test_addresses_hash_the_same_alone_and_together() -> None:
    urls = ["https://a.example/", "https://a.example/해녀"]
    assert url_hashes(urls).tolist() == [url_hash(url) for url in urls]
    assert url_hash(urls[0]) not in SeenSet()
