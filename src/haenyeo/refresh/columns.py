"""Tables of numbers that grow: one numpy array a column, packed into bytes and read back.

Room is added by a quarter at a time. Memory that was reserved but never written costs nothing until it is used. Large
columns are mapped from the operating system, not taken from the heap, so that an outgrown one is given back whole.
"""

from __future__ import annotations

import math
import mmap
from collections.abc import Mapping
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from haenyeo.model.errors import StoreError

Array = npt.NDArray[Any]
_FIRST_ROOM = 64
_MAPPED_BYTES = 1 << 20


class GrowingColumns:
    """Equally long columns, each named and typed; `columns["name"]` is a view of the rows in use."""

    def __init__(self, types: Mapping[str, npt.DTypeLike]) -> None:
        self._types = {name: np.dtype(kind) for name, kind in types.items()}
        self._size = 0
        self._room = 0
        self._arrays = {name: np.empty(0, kind) for name, kind in self._types.items()}

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, name: str) -> Array:
        return self._arrays[name][: self._size]

    def extend(self, count: int, **values: npt.ArrayLike) -> None:
        """Add `count` rows; columns without a value start at zero."""
        start, self._size = self._size, self._size + count
        if self._size > self._room:
            self._room = max(_FIRST_ROOM, self._size, self._room + self._room // 4)
            self._arrays = {name: _enlarged(array[:start], self._room) for name, array in self._arrays.items()}
        for name, array in self._arrays.items():
            array[start : self._size] = values.get(name, 0)

    def state(self) -> dict[str, Array]:
        """The columns by name, for `pack`."""
        return {name: self[name] for name in self._types}

    def restore(self, arrays: Mapping[str, Array]) -> None:
        """Take over columns that `state` gave."""
        self._arrays = {name: np.array(arrays[name], kind.base) for name, kind in self._types.items()}
        self._size = self._room = len(next(iter(self._arrays.values())))


def zeros(shape: tuple[int, ...], kind: npt.DTypeLike) -> Array:
    """An array of zeros that returns its memory as soon as it is dropped, if it is large."""
    size = math.prod(shape) * np.dtype(kind).itemsize
    if size < _MAPPED_BYTES:
        return np.zeros(shape, kind)
    return np.frombuffer(mmap.mmap(-1, size), kind).reshape(shape)


def _enlarged(array: Array, room: int) -> Array:
    larger = zeros((room, *array.shape[1:]), array.dtype)
    larger[: len(array)] = array
    return larger


class _Packed(msgspec.Struct, frozen=True, array_like=True):
    """An array as bytes."""

    kind: str
    shape: tuple[int, ...]
    data: bytes


class _Parcel(msgspec.Struct, frozen=True):
    """All a planner keeps, under the name of the planner that wrote it."""

    planner: str
    version: int
    arrays: dict[str, _Packed]
    texts: dict[str, list[str]]


_VERSION = 1


def pack(planner: str, arrays: Mapping[str, Array], texts: Mapping[str, list[str]]) -> bytes:
    """The state of a planner as bytes."""
    packed = {
        name: _Packed(array.dtype.str, array.shape, np.ascontiguousarray(array).tobytes())
        for name, array in arrays.items()
    }
    return msgspec.msgpack.encode(_Parcel(planner, _VERSION, packed, dict(texts)))


def unpack(planner: str, data: bytes) -> tuple[dict[str, Array], dict[str, list[str]]]:
    """What `pack` was given; raises `StoreError` when these bytes are damaged or another planner's."""
    try:
        parcel = msgspec.msgpack.decode(data, type=_Parcel)
        arrays = {name: _unpacked(packed) for name, packed in parcel.arrays.items()}
    except (msgspec.DecodeError, ValueError, TypeError) as error:
        raise StoreError(f"this is no state of a planner: {error}", advice="plan anew from the visits") from error
    if (parcel.planner, parcel.version) != (planner, _VERSION):
        raise StoreError(
            f"this is the state of planner {parcel.planner!r}, version {parcel.version}; asked for {planner!r}",
            advice="plan anew from the visits, or name the planner that wrote it",
        )
    return arrays, parcel.texts


def _unpacked(packed: _Packed) -> Array:
    array: Array = np.frombuffer(packed.data, np.dtype(packed.kind)).reshape(packed.shape).copy()
    return array
