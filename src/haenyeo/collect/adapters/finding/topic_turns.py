"""What did each of several topics ask for, and what came of it? Counted by turns, stored with the page that ended one.

So a crawl that was killed goes on with the turns as they were, and the harvest of each topic can be shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from haenyeo.store import PartState, Store

TURNS = "turns"
"""The part under whose name the store has the turns of each topic, by its name."""


class TurnCount(msgspec.Struct, frozen=True, array_like=True):
    """Pages that a topic asked for, and how many of them it wanted once they were read."""

    asked: int = 0
    found: int = 0


_decoder = msgspec.msgpack.Decoder(TurnCount)


class TopicTurns:
    """The turns of some topics, as the store has them and as they go on."""

    def __init__(self, names: Sequence[str], store: Store) -> None:
        self._names = list(names)
        self._counts = [turns_of(store, name) for name in self._names]

    @property
    def asked(self) -> list[int]:
        """How many turns each topic has had."""
        return [count.asked for count in self._counts]

    def count(self, topic: int, wanted: Iterable[str]) -> tuple[PartState, ...]:
        """A page was read, or not, on a topic's turn; `wanted` names the topics it belongs to.

        Returns what is to be stored with the page.
        """
        before, name = self._counts[topic], self._names[topic]
        now = self._counts[topic] = TurnCount(before.asked + 1, before.found + (name in wanted))
        return (PartState(part=TURNS, key=name, value=msgspec.msgpack.encode(now)),)


def turns_of(store: Store, name: str) -> TurnCount:
    """The turns a topic has had; none if it never shared a crawl with others."""
    stored = store.state(TURNS, name)
    return _decoder.decode(stored) if stored else TurnCount()
