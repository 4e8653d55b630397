"""The pages fetched last, whose words are counted again when the judge has changed its mind."""

from __future__ import annotations

from collections.abc import Collection

import msgspec
import numpy as np

from haenyeo.find.learned.features import PageWords
from haenyeo.find.learned.state import State, pages_of, pages_state


class RecentPage(msgspec.Struct):
    """A page by its reference, its words, the log-odds by its text, and the relevance its words were counted with."""

    ref: int
    page: PageWords
    odds: float
    counted: float = 0.0


def recent_state(recent: Collection[RecentPage]) -> State:
    """What `recent_of` needs."""
    return {
        **pages_state(page.page for page in recent),
        "refs": np.array([page.ref for page in recent], np.int64),
        "odds": np.array([page.odds for page in recent], np.float64),
        "counted": np.array([page.counted for page in recent], np.float64),
    }


def recent_of(state: State) -> list[RecentPage]:
    """The pages that were stored; raises `ValueError` if their columns are not alike."""
    columns = (state[name].tolist() for name in ("odds", "counted"))
    facts = zip(state["refs"].tolist(), pages_of(state), *columns, strict=True)
    return [RecentPage(*fact) for fact in facts]
