"""What did each of several topics ask for, and what came of it? Counted by turns, stored with the page that ended one.

So a crawl that was killed goes on with the turns as they were, and the harvest of each topic can be shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from haenyeo.model.config import Topic
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


class TopicHarvest(msgspec.Struct, frozen=True, kw_only=True):
    """What a topic had of the crawl: pages `asked` for on its turns, and how many of these it `found` to be its own.

    `weight` is its share of the turns beside those of the other topics; `harvest` is the share found of those asked
    for, None as long as there are none.
    """

    topic: str
    words: str
    weight: float
    asked: int
    found: int
    harvest: float | None


def topic_harvests(store: Store, topics: Mapping[str, Topic]) -> tuple[TopicHarvest, ...]:
    """The harvest of each topic; none where topics did not take turns, because there is one or no page is judged."""
    counts = {name: turns_of(store, name) for name in topics}
    if not any(count.asked for count in counts.values()):
        return ()
    return tuple(
        TopicHarvest(
            topic=name,
            words=topics[name].words,
            weight=topics[name].weight,
            asked=count.asked,
            found=count.found,
            harvest=count.found / count.asked if count.asked else None,
        )
        for name, count in counts.items()
    )


def turns_of(store: Store, name: str) -> TurnCount:
    """The turns a topic has had; none if it never shared a crawl with others."""
    stored = store.state(TURNS, name)
    return _decoder.decode(stored) if stored else TurnCount()
