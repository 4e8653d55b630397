from __future__ import annotations

import numpy as np
import pytest

from haenyeo.model.errors import StoreError
from haenyeo.refresh.columns import GrowingColumns, pack, unpack


def test_columns_grow_and_new_rows_start_at_zero() -> None:
    table = GrowingColumns({"number": np.uint32, "row": np.dtype((np.float32, (3,)))})
    table.extend(2, number=[5, 6])
    table["row"][1] = [1, 2, 3]
    table.extend(1000)
    assert table["number"][:3].tolist() == [5, 6, 0]
    assert table["row"][1].tolist() == [1, 2, 3]
    assert len(table) == 1002
    assert not table["row"][2:].any()


def test_what_was_packed_is_unpacked() -> None:
    arrays, texts = {"a": np.arange(6).reshape(2, 3)}, {"names": ["가", "b"]}
    again, words = unpack("x", pack("x", arrays, texts))
    assert np.array_equal(again["a"], arrays["a"])
    assert words == texts


def test_columns_are_restored_from_their_state() -> None:
    table, copy = GrowingColumns({"n": np.int16}), GrowingColumns({"n": np.int16})
    table.extend(3, n=[1, 2, 3])
    copy.restore(table.state())
    copy.extend(1, n=4)
    assert copy["n"].tolist() == [1, 2, 3, 4]


def test_foreign_bytes_are_refused_with_advice() -> None:
    with pytest.raises(StoreError) as error:
        unpack("x", b"\x00\x01")
    assert "anew" in error.value.advice
