"""All that a learner knows, as bytes: arrays under dotted names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

import msgspec
import numpy as np

from haenyeo.find.learned.columns import Numbers
from haenyeo.find.learned.features import TABLE, PageWords
from haenyeo.model.errors import StoreError

State = dict[str, Numbers]


class Stateful(Protocol):
    """Something whose state can be kept."""

    def state(self) -> State:
        """All it knows."""
        ...

    def restore(self, state: State) -> None:
        """Go on from what `state` gave."""
        ...


_packed = msgspec.msgpack.Decoder(dict[str, tuple[str, tuple[int, ...], bytes]])


def to_bytes(state: State) -> bytes:
    """The arrays in one piece; tables of features, mostly empty, without their zeros, whole numbers shortened."""
    packed: State = {}
    for name, values in state.items():
        if values.shape == (TABLE,):
            used = np.flatnonzero(values)
            packed |= {f"{name}@places": used.astype(np.int32), f"{name}@values": values[used]}
        elif values.dtype == np.int64 and values.size:
            packed[f"{name}@short"] = _short(values)
        else:
            packed[name] = values
    return msgspec.msgpack.encode(
        {name: (values.dtype.str, values.shape, _bytes(values)) for name, values in packed.items()}
    )


def _bytes(values: Numbers) -> memoryview | bytes:
    """The bytes of an array, not copied if that can be: a state has ten megabytes and more."""
    return np.ascontiguousarray(values).reshape(-1).view(np.uint8).data if values.size else b""


def _short(values: Numbers) -> Numbers:
    return values.astype(np.promote_types(np.min_scalar_type(values.min()), np.min_scalar_type(values.max())))


def from_bytes(data: bytes) -> State:
    """The arrays `to_bytes` was given, not to be written to; raises `StoreError` if these bytes are not such."""
    try:
        decoded = _packed.decode(data)
    except msgspec.MsgspecError as error:
        raise StoreError(f"this is no state of a learner: {error}", advice="learn anew from the pages") from error
    packed = {name: np.frombuffer(values, dtype).reshape(shape) for name, (dtype, shape, values) in decoded.items()}
    state: State = {}
    for name, array in packed.items():
        table, _, part = name.partition("@")
        if part == "places":
            values = packed[f"{table}@values"]
            state[table] = np.zeros(TABLE, values.dtype)
            state[table][array] = values
        elif part == "short":
            state[table] = array.astype(np.int64)
        elif not part:
            state[name] = array
    return state


def under(name: str, state: State) -> State:
    """The state of a part under names that begin with the part's name."""
    return {f"{name}.{key}": values for key, values in state.items()}


def of(name: str, state: State) -> State:
    """The part of a state whose names begin with this part's name, without that beginning."""
    return {key.removeprefix(f"{name}."): values for key, values in state.items() if key.startswith(f"{name}.")}


def pages_state(pages: Iterable[PageWords]) -> State:
    """The words of pages as three arrays."""
    kept = list(pages)
    none = np.zeros(0, np.float32)
    return {
        "ids": np.concatenate([none.astype(np.int32), *(page.ids for page in kept)]),
        "weights": np.concatenate([none, *(page.weights for page in kept)]),
        "ends": np.cumsum([len(page.ids) for page in kept], dtype=np.int64),
    }


def pages_of(state: State) -> Sequence[PageWords]:
    """The pages `pages_state` was given; raises `ValueError` if its arrays do not fit together."""
    ids, weights, ends = state["ids"], state["weights"], state["ends"].tolist()
    if len(ids) != len(weights) or sorted(ends) != ends or (ends and not 0 <= ends[0] <= ends[-1] == len(ids)):
        raise ValueError("the words of pages are not where they should be")
    if len(ids) and not 0 <= int(ids.min()) <= int(ids.max()) < TABLE:
        raise ValueError("a word of a page is none of the table")
    return [
        PageWords(ids[start:end].astype(np.int32, copy=False), weights[start:end].astype(np.float32, copy=False))
        for start, end in zip([0, *ends][:-1], ends, strict=True)
    ]
