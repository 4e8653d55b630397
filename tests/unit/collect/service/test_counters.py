from __future__ import annotations

from pathlib import Path

from haenyeo.collect.service.counters import Counter, as_prometheus, counters
from haenyeo.store import Store


def test_an_empty_collection_has_counters_too(tmp_path: Path) -> None:
    with Store.create(tmp_path / "c") as store:
        numbers = {number.name: number.value for number in counters(store)}
    assert numbers["haenyeo_pages_kept"] == 0
    assert numbers["haenyeo_links_waiting"] == 0


def test_large_numbers_and_odd_labels_are_written_whole() -> None:
    text = as_prometheus([Counter("x", "X.", "gauge", 12_345_678_901, {"found": 'a"b\n'})])
    assert text.endswith('x{found="a\\"b\\n"} 12345678901\n')
