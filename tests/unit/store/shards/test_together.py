"""Every question about a collection is answered for one in shards, too."""

from __future__ import annotations

from haenyeo.store.reading import CollectionReading
from haenyeo.store.shards.together import ShardsStore

DERIVED = {"waiting", "waiting_count", "body"}
"""Answered by asking other questions."""


def test_no_question_is_forgotten() -> None:
    questions = {
        name
        for kind in CollectionReading.__mro__
        for name, method in vars(kind).items()
        if callable(method) and not name.startswith("_")
    }
    assert questions - DERIVED - set(vars(ShardsStore)) == set()
