import numpy as np

from haenyeo.find.traps.recent import RecentHashes

_RANDOM = np.random.default_rng(11)


def _hashes(count: int) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    return _RANDOM.integers(0, 2**64, count, dtype=np.uint64)


def test_what_was_just_added_is_known() -> None:
    recent = RecentHashes(largest=1 << 12)
    hashes = _hashes(200)
    recent.add(hashes)
    assert not recent.add(hashes).any()
    assert all(value in recent for value in hashes.tolist())


def test_most_of_what_was_never_added_is_new_however_much_was() -> None:
    recent = RecentHashes(largest=1 << 12)
    for _ in range(100):
        recent.add(_hashes(100))
    assert recent.add(_hashes(1000)).mean() > 0.6


def test_what_is_met_again_and_again_is_never_forgotten() -> None:
    recent = RecentHashes(largest=1 << 10)
    often = _hashes(20)
    recent.add(often)
    for _ in range(300):
        recent.add(_hashes(30))
        assert not recent.add(often).any()


def test_what_is_long_past_is_forgotten() -> None:
    recent = RecentHashes(largest=1 << 12)
    old = _hashes(200)
    recent.add(old)
    for _ in range(50):
        recent.add(_hashes(200))
    assert recent.add(old).mean() > 0.5


def test_a_dumped_sketch_goes_on_as_it_was() -> None:
    recent = RecentHashes(largest=1 << 12)
    for _ in range(30):
        recent.add(_hashes(50))
    copy = RecentHashes.load(recent.dump())
    more = _hashes(500)
    assert copy.add(more).tolist() == recent.add(more).tolist()
    assert RecentHashes.load(RecentHashes(largest=8).dump()).add(more).any()
