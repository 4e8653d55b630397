"""Traits of pages as arrays, all pages one after the other, for what is stored of a judge."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from haenyeo.find.learned.columns import Numbers
from haenyeo.find.learned.features import TABLE, PageWords
from haenyeo.find.learned.judging.linkage import PageLinking
from haenyeo.find.learned.judging.traits import PARTS, PageTraits


def traits_state(pages: Sequence[PageTraits]) -> dict[str, Numbers]:
    """Traits as arrays."""
    links = [page.linking for page in pages]
    weights = np.concatenate([np.zeros(0, np.float32), *(page.words.weights for page in pages)])
    return {
        "ids": np.concatenate([np.zeros(0, np.int32), *(page.words.ids for page in pages)]),
        "counts": _counts(weights),
        "ends": np.cumsum([len(page.words.ids) for page in pages], dtype=np.int64),
        "coverage": np.array([page.coverage for page in pages], np.float32).ravel(),
        "listing": np.array([page.listing for page in pages], np.bool_),
        "targets": np.concatenate([np.zeros(0, np.uint32), *(page.targets for page in links)]),
        "lists": np.concatenate([np.zeros(0, np.uint16), *(page.lists for page in links)]),
        "links": np.cumsum([len(page.targets) for page in links], dtype=np.int64),
        "offers": np.concatenate([np.zeros(0, np.uint16), *(page.offers for page in links)]),
        "offering": np.cumsum([len(page.offers) for page in links], dtype=np.int64),
    }


def traits_of_state(state: dict[str, Numbers]) -> list[PageTraits]:
    """The traits that were made to arrays; raises `ValueError` if these do not fit together."""
    ends = state["ends"].tolist()
    coverage = state["coverage"].reshape(-1, len(PARTS)).tolist()
    weights = (1 + np.log(state["counts"])).astype(np.float32)
    ids = checked_places(state["ids"], ends, len(weights))
    words = [PageWords(*of) for of in zip(_parted(ids, ends), _parted(weights, ends), strict=True)]
    rows = zip(words, coverage, state["listing"].tolist(), _linking_of(state), strict=True)
    return [
        PageTraits(words=said, coverage=tuple(shares), listing=listing, linking=linking)
        for said, shares, listing, linking in rows
    ]


def checked_places(ids: Numbers, ends: list[int], weights: int) -> Numbers:
    """The places of words of pages that end there; raises `ValueError` if they are none, or not as many."""
    if len(ids) != weights or sorted(ends) != ends or (ends and not 0 <= ends[0] <= ends[-1] == len(ids)):
        raise ValueError("the words of pages are not where they should be")
    if len(ids) and not 0 <= int(ids.min()) <= int(ids.max()) < TABLE:
        raise ValueError("a word of a page is none of the table")
    return ids.astype(np.int32, copy=False)


def _counts(weights: Numbers) -> Numbers:
    """How often words stand on pages, by their weights; these are overwritten, as there are millions of them."""
    weights -= 1
    np.exp(weights, out=weights)
    np.rint(weights, out=weights)
    return weights.clip(1, 255, out=weights).astype(np.uint8)


def _linking_of(state: dict[str, Numbers]) -> list[PageLinking]:
    """The links of the pages of a state."""
    ends, offering = state["links"].tolist(), state["offering"].tolist()
    targets = _parted(state["targets"].astype(np.uint32, copy=False), ends)
    lists, offers = (
        _parted(state[name].astype(np.uint16, copy=False), ends_)
        for name, ends_ in (("lists", ends), ("offers", offering))
    )
    return [PageLinking(*each) for each in zip(targets, lists, offers, strict=True)]


def _parted(values: npt.NDArray[np.generic], ends: list[int]) -> list[Numbers]:
    """The values of each page, which end there; raises `ValueError` if they do not."""
    if sorted(ends) != ends or (ends and not 0 <= ends[0] <= ends[-1] == len(values)):
        raise ValueError("the words or links of pages are not where they should be")
    return [values[start:end] for start, end in zip([0, *ends][:-1], ends, strict=True)]
