"""Why did links bring no page? Counted by reason while a crawl goes on, with an example and what can be done."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from haenyeo.collect.advice import OUT_OF_SCOPE, advice_for, is_lasting
from haenyeo.collect.events import Cause
from haenyeo.collect.links.jobs import Job
from haenyeo.collect.visit.visitor import Visited
from haenyeo.model.pages import Url
from haenyeo.model.visits import Outcome
from haenyeo.store import Store

MOST_CAUSES = 20
FRUITLESS = frozenset({Outcome.REFUSED, Outcome.FAILED, Outcome.ERROR, Outcome.GONE, Outcome.USELESS})


class StartState(msgspec.Struct, frozen=True, kw_only=True):
    """Of seeds, or of pages given as examples: how many there are and were read, and why the others were not.

    Each reason has an example; `later` if asking again may help.
    """

    count: int = 0
    read: int = 0
    unread: dict[str, int] = {}
    examples: dict[str, Url] = {}
    later: bool = False


class Causes:
    """The reasons of one crawl."""

    def __init__(self) -> None:
        self._ended: dict[str, int] = {}
        self._waiting: dict[int, tuple[str, Url]] = {}
        self._examples: dict[str, Url] = {}

    def note(self, job: Job, visited: Visited) -> None:
        """Count a visit that brought no page, or that is to be made again."""
        event = visited.event
        if event is None:
            if visited.answer.retryable:
                self._waiting[job.ref] = visited.answer.reason, job.url
            return
        if self._waiting:
            self._waiting.pop(job.ref, None)
        if event.outcome in FRUITLESS:
            reason = event.reason or str(event.outcome)
            self._ended[reason] = self._ended.get(reason, 0) + 1
            self._examples.setdefault(reason, job.url)

    def told(self, seeds: StartState, given: StartState) -> tuple[Cause, ...]:
        """All reasons, those that keep seeds or examples from being read first, then by how often they came."""
        waiting: dict[str, int] = {}
        for reason, url in self._waiting.values():
            waiting[reason] = waiting.get(reason, 0) + 1
            self._examples.setdefault(reason, url)
        reasons = dict.fromkeys([*seeds.unread, *given.unread, *self._ended, *waiting])
        causes = [
            Cause(
                reason=reason,
                links=max(
                    self._ended.get(reason, 0) + waiting.get(reason, 0),
                    seeds.unread.get(reason, 0),
                    given.unread.get(reason, 0),
                ),
                seeds=seeds.unread.get(reason, 0),
                given=given.unread.get(reason, 0),
                waiting=waiting.get(reason, 0),
                example=seeds.examples.get(reason) or given.examples.get(reason) or self._examples[reason],
                advice=advice_for(reason),
            )
            for reason in reasons
        ]
        return tuple(sorted(causes, key=lambda cause: (-cause.seeds, -cause.given, -cause.links))[:MOST_CAUSES])


def state_of(starts: Sequence[Url], store: Store, follows: Callable[[Url], bool]) -> StartState:
    """What has become of seeds or examples by now; `follows` says whether an address is in scope."""
    read, later = 0, False
    unread: dict[str, int] = {}
    examples: dict[str, Url] = {}
    for url in starts:
        page = store.page(url)
        if page is not None and page.outcome not in FRUITLESS:
            read += 1
            continue
        never_asked = "" if follows(url) else OUT_OF_SCOPE
        reason = never_asked if page is None else page.reason
        later |= not is_lasting(reason)
        if reason:
            unread[reason] = unread.get(reason, 0) + 1
            examples.setdefault(reason, url)
    return StartState(count=len(starts), read=read, unread=unread, examples=examples, later=later)
