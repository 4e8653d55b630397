"""The coordinator and the pattern database of Park, Oh & Lee 2002, section 3 and figure 4, for pages under watch.

A watched address is a query at a site. The status of its answer is looked at first: an error is told as such and leaves
the patterns as they were. A page that came is given to the pattern detector with the patterns kept of it, and its own
are kept when they are others. It is at work when the settings name a watcher that finds patterns, and then
`haenyeo watch NAME --look --patterns` shows what is kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Literal

import msgspec

from haenyeo.collect.adapters.archive import archived_html
from haenyeo.model.pages import Url
from haenyeo.model.visits import Answer, Outcome
from haenyeo.store import Store
from haenyeo.watch.compare import Watcher
from haenyeo.watch.layout import describe_layout
from haenyeo.watch.vilo import Pattern, Vilo

PART = "patterns"
PatternVerdict = Literal["error", "first", "same", "changed"]


class KeptPatterns(msgspec.Struct, frozen=True, kw_only=True):
    """The patterns of an address since `changed_at`, and what its last visit came to."""

    url: Url
    verdict: PatternVerdict
    status: int
    at: datetime
    changed_at: datetime
    times: int
    patterns: tuple[Pattern, ...] = ()


class Coordinator:
    """Looks at the answers of watched addresses; `watcher` is None if it finds no patterns."""

    def __init__(self, store: Store, watcher: Watcher) -> None:
        self._store = store
        self._watcher = watcher if isinstance(watcher, Vilo) else None

    def visited(self, url: Url, answer: Answer, now: datetime) -> KeptPatterns | None:
        """What came of a visit to a watched address, which is kept; None if no patterns are asked for."""
        if self._watcher is None:
            return None
        before = kept_patterns(self._store, url)
        kept = self._looked_at(self._watcher, url, answer, before, now)
        self._store.put_state(PART, url, msgspec.json.encode(kept))
        return kept

    def _looked_at(
        self, watcher: Vilo, url: Url, answer: Answer, before: KeptPatterns | None, now: datetime
    ) -> KeptPatterns:
        known = before.patterns if before else ()
        since = before.changed_at if before else now
        html = archived_html(self._store, url) if answer.outcome in (Outcome.PAGE, Outcome.UNCHANGED) else None
        if html is None:
            return KeptPatterns(
                url=url,
                verdict="error",
                status=answer.status,
                at=now,
                changed_at=since,
                times=watcher.times,
                patterns=known,
            )
        [page] = describe_layout([html]).pages
        found = tuple(sorted(watcher.patterns(page)))
        is_first = before is None or before.times != watcher.times or (before.verdict == "error" and not known)
        verdict: PatternVerdict = "first" if is_first else "same" if found == known else "changed"
        return KeptPatterns(
            url=url,
            verdict=verdict,
            status=answer.status,
            at=now,
            changed_at=since if verdict == "same" else now,
            times=watcher.times,
            patterns=found,
        )


def kept_patterns(store: Store, url: str) -> KeptPatterns | None:
    """The patterns that are kept of an address."""
    data = store.state(PART, url)
    return msgspec.json.decode(data, type=KeptPatterns) if data else None


def all_kept_patterns(store: Store) -> Iterator[KeptPatterns]:
    """The patterns of all watched addresses."""
    for _, value in store.states(PART):
        yield msgspec.json.decode(value, type=KeptPatterns)
