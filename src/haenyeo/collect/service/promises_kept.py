"""What the planner expected, week by week, and what was found; kept apart, to be shown without a planner."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from haenyeo.refresh.promise import PromisedWeek
from haenyeo.store import Store

PART, KEY = "promise", "weeks"
_decoder = msgspec.json.Decoder(list[PromisedWeek])


def keep_promises(store: Store, weeks: Sequence[PromisedWeek]) -> None:
    """Store the weeks in place of those before; it is safe with the store's next `flush`."""
    store.put_state(PART, KEY, msgspec.json.encode(weeks))


def promises_kept(store: Store) -> list[PromisedWeek]:
    """The weeks that were stored last, the first one first."""
    data = store.state(PART, KEY)
    return _decoder.decode(data) if data else []
