"""What is known, as bytes."""

import numpy as np
import pytest

from haenyeo.find.learned.features import TABLE, PageWords
from haenyeo.find.learned.state import from_bytes, of, pages_of, pages_state, to_bytes, under
from haenyeo.model.errors import StoreError


def test_arrays_come_back_as_they_were() -> None:
    table = np.zeros(TABLE, np.float32)
    table[[3, 77]] = 0.5, -2
    state = {"a.table": table, "a.count": np.array(3), "words": np.array("고래 whale"), "none": np.zeros(0)}
    state |= {"small": np.array([[1, -2]]), "large": np.array([1 << 40, 0])}
    again = from_bytes(to_bytes(state))
    assert again.keys() == state.keys()
    assert all((again[name] == values).all() and again[name].dtype == values.dtype for name, values in state.items())


def test_other_bytes_are_refused() -> None:
    for data in (b"", b"PK\x03\x04 what another version wrote", to_bytes({})[:-1]):
        with pytest.raises(StoreError, match="no state of a learner"):
            from_bytes(data)


def test_tables_take_little_room_while_they_are_mostly_empty() -> None:
    assert len(to_bytes({"table": np.zeros(TABLE)})) < 2000


def test_parts_are_found_under_their_names() -> None:
    assert of("memory", under("memory", {"ref": np.arange(2)}) | {"judge.ref": np.arange(9)})["ref"].tolist() == [0, 1]


def test_pages_come_back_as_they_were() -> None:
    pages = [PageWords.of("whale", "ocean"), PageWords.of("", ""), PageWords.of("", "train")]
    again = pages_of(pages_state(pages))
    assert [page.ids.tolist() for page in again] == [page.ids.tolist() for page in pages]
    assert pages_of(pages_state([])) == []
