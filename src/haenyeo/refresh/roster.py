"""The pages of a planner: their addresses, when each was last visited, and what else is noted of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from haenyeo.refresh.address_book import NOBODY, AddressBook, Numbers
from haenyeo.refresh.columns import Array, GrowingColumns

Flags = npt.NDArray[np.bool_]


class Roster:
    """Pages by number; `roster["name"]` is a column of what is noted of them."""

    def __init__(self, columns: Mapping[str, npt.DTypeLike]) -> None:
        self.addresses = AddressBook()
        self._columns = GrowingColumns(columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __getitem__(self, name: str) -> Array:
        return self._columns[name]

    def admit(self, urls: Sequence[str], **values: npt.ArrayLike) -> Numbers:
        """Add the pages that are new, with these values; returns where they stand among `urls`."""
        places = self.addresses.add(urls)
        self._columns.extend(len(places), **{name: _at(value, places) for name, value in values.items()})
        return places

    def visited(self, urls: Sequence[str], changed: Sequence[bool]) -> tuple[Numbers, Flags]:
        """The numbers of the known pages among `urls`, each once, and whether one of its visits found a change."""
        numbers = self.addresses.numbers(urls)
        known = numbers != NOBODY
        pages, place = np.unique(numbers[known], return_inverse=True)
        found = np.zeros(len(pages), np.bool_)
        np.logical_or.at(found, place, np.asarray(changed, np.bool_)[known])
        return pages, found

    def state(self) -> tuple[dict[str, Array], dict[str, list[str]]]:
        """All that is kept, for `columns.pack`."""
        book, heads = self.addresses.state()
        arrays = {f"book.{name}": array for name, array in book.items()}
        return arrays | {f"page.{name}": array for name, array in self._columns.state().items()}, {"heads": heads}

    def restore(self, arrays: Mapping[str, Array], texts: Mapping[str, list[str]]) -> None:
        """Take over what `state` gave."""
        self.addresses.restore(_under("book.", arrays), texts["heads"])
        self._columns.restore(_under("page.", arrays))


def _at(value: npt.ArrayLike, places: Numbers) -> npt.ArrayLike:
    array = np.asarray(value)
    return array[places] if array.ndim else array


def _under(prefix: str, arrays: Mapping[str, Array]) -> dict[str, Array]:
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}
