from array import array

import numpy as np

from haenyeo.find.traps.fingerprint import distances, nearest
from haenyeo.find.traps.recent import COMPILED, RecentHashes, mark_in_python

_RANDOM = np.random.default_rng(11)


def _hashes(count: int) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    return _RANDOM.integers(0, 2**64, count, dtype=np.uint64)


def test_what_was_just_added_is_known() -> None:
    recent = RecentHashes(largest=1 << 12)
    hashes = _hashes(200)
    recent.add(hashes)
    assert recent.add(hashes) == 0
    assert all(value in recent for value in hashes.tolist())


def test_most_of_what_was_never_added_is_new_however_much_was() -> None:
    recent = RecentHashes(largest=1 << 12)
    for _ in range(100):
        recent.add(_hashes(100))
    assert recent.add(_hashes(1000)) > 600


def test_what_is_met_again_and_again_is_never_forgotten() -> None:
    recent = RecentHashes(largest=1 << 10)
    often = _hashes(20)
    recent.add(often)
    for _ in range(300):
        recent.add(_hashes(30))
        assert recent.add(often) == 0


def test_what_is_long_past_is_forgotten() -> None:
    recent = RecentHashes(largest=1 << 12)
    old = _hashes(200)
    recent.add(old)
    for _ in range(50):
        recent.add(_hashes(200))
    assert recent.add(old) > 100


def test_a_dumped_sketch_goes_on_as_it_was() -> None:
    recent = RecentHashes(largest=1 << 12)
    for _ in range(30):
        recent.add(_hashes(50))
    copy = RecentHashes.load(recent.dump())
    more = _hashes(500)
    assert copy.add(more) == recent.add(more)
    assert RecentHashes.load(RecentHashes(largest=8).dump()).add(more) > 0


def test_compiled_code_marks_the_same() -> None:
    now, before, hashes = bytearray(1 << 9), bytearray(1 << 7), _hashes(400)
    before[:50] = b"\1" * 50
    other = now.copy()
    for part in (hashes[:200], np.repeat(hashes[150:], 2)):
        new = mark_in_python(other, before, part)
        assert COMPILED is None or COMPILED.mark(now, before, part) == new
        assert COMPILED is None or now == other


def test_the_nearest_simhash_is_the_first_that_differs_least() -> None:
    simhashes = _hashes(300)
    for simhash in (*simhashes[::50].tolist(), *_hashes(50).tolist()):
        place, differing = nearest(array("Q", simhashes.tobytes()), simhash)
        expected = distances(simhashes, simhash)
        assert (place, differing) == (int(expected.argmin()), int(expected.min()))
