"""What crawl, refresh and watch rounds work with: one of each for a collection, so that all keep to one pace."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from haenyeo.collect.adapters.finding.finder import Finder
from haenyeo.collect.adapters.watching.page_watch import PageWatch
from haenyeo.collect.events import Events
from haenyeo.collect.links.queue import CrawlQueue
from haenyeo.collect.visit.clock import Clock
from haenyeo.collect.visit.network import Network
from haenyeo.collect.visit.turns import Turns
from haenyeo.collect.visit.visitor import Visitor
from haenyeo.model.config import PaceSettings
from haenyeo.store import Store


class Parts(msgspec.Struct, frozen=True, kw_only=True):
    """The parts, put together by `assembly`; `pace` says how many visits and requests may be made.

    `network` is None if nobody looks whether it is there. `remember` stores what the parts have learnt so far.
    """

    store: Store
    queue: CrawlQueue
    visitor: Visitor
    turns: Turns
    finder: Finder
    watch: PageWatch
    events: Events
    clock: Clock
    network: Network | None
    pace: PaceSettings
    remember: Callable[[], None]
