"""Answers that come together are taken in step by step; the absorber is one that notes what it is asked to do."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, cast

import pytest

from haenyeo.collect.events import Event, Events, PageBroke, PageVisited
from haenyeo.collect.links.jobs import Job, named_job
from haenyeo.collect.visit.absorb import Absorber
from haenyeo.collect.visit.findings import Findings, Looked
from haenyeo.collect.visit.intake import MOST_BYTES, MOST_TOGETHER, TAKEN_PER_PLACE, Intake
from haenyeo.collect.visit.soft_gone import SoftGone
from haenyeo.model.errors import StoreError
from haenyeo.model.pages import Url
from haenyeo.model.visits import Answer, Outcome


class NotingAbsorber:
    """Notes its steps; those in `failing` raise what they are given, those of `suspects` look like missing pages."""

    def __init__(self) -> None:
        self.steps: list[str] = []
        self.failing: dict[str, Exception] = {}
        self.suspects: set[str] = set()

    def note(self, step: str, answer: Answer) -> None:
        name = f"{step} {answer.url.removeprefix('https://')}"
        self.steps.append(name)
        if name in self.failing:
            raise self.failing[name]

    def look(self, answer: Answer, _: object) -> Looked:
        self.note("look", answer)
        return Looked(suspect=answer.url in self.suspects)

    def read(self, answer: Answer, looked: Looked, _: object) -> Looked:
        self.note("read", answer)
        return looked

    def learn(self, _: Job, answer: Answer, __: Looked, ___: object) -> Findings:
        self.note("learn", answer)
        return Findings(outcome=Outcome.PAGE)

    def absorb(self, job: Job, answer: Answer, findings: Findings) -> PageVisited:
        self.note("absorb", answer)
        return PageVisited(
            url=job.url, site=job.site, outcome=findings.outcome, reason="", status=200, title="", depth=0, kept=True
        )

    def give_up(self, job: Job, answer: Answer, error: Exception) -> PageVisited:
        self.note("give up", answer)
        reason = type(error).__name__
        return PageVisited(
            url=job.url, site=job.site, outcome=Outcome.FAILED, reason=reason, status=200, title="", depth=0, kept=False
        )

    def conclude(self) -> None:
        self.steps.append("conclude")

    def survives(self, error: Exception) -> bool:
        return not isinstance(error, StoreError)


class Desk:
    """An intake, what its absorber notes, and what was told; so many answers are `awaited`."""

    def __init__(self, awaited: int = 0) -> None:
        self.absorber, self.awaited, self.commits = NotingAbsorber(), awaited, 0
        self.told: list[Event] = []
        events = Events()
        events.listen(self.told.append)
        self.intake = Intake(
            cast("Absorber", self.absorber),
            SoftGone(self._ask),
            events=events,
            awaited=lambda: self.awaited,
            commit=self._commit,
        )
        self.intake.taken = MOST_TOGETHER * TAKEN_PER_PLACE

    async def _ask(self, url: Url) -> Answer:
        pytest.fail(f"{url} was asked for")

    def _commit(self) -> None:
        self.commits += 1

    def take(self, address: str, *, asked: bool = False, body: bytes = b"") -> Coroutine[Any, Any, PageVisited | None]:
        url = Url(f"https://{address}")
        answer = Answer(url=url, final_url=url, outcome=Outcome.PAGE, status=200, content_type="text/html", body=body)
        return self.intake.take(named_job(url), answer, asked=asked)

    def take_all(self, *addresses: str) -> list[PageVisited | None]:
        async def run() -> list[PageVisited | None]:
            return list(await asyncio.gather(*map(self.take, addresses)))

        return asyncio.run(run())


def test_pages_of_different_sites_go_through_every_step_together() -> None:
    desk = Desk()
    desk.take_all("a.example/1", "b.example/1")
    assert desk.absorber.steps == [
        *("look a.example/1", "look b.example/1", "read a.example/1", "read b.example/1"),
        *("learn a.example/1", "learn b.example/1", "absorb a.example/1", "absorb b.example/1", "conclude"),
    ]
    assert desk.commits == 1
    assert [event.url for event in desk.told if isinstance(event, PageVisited)] == [
        "https://a.example/1",
        "https://b.example/1",
    ]


def test_a_site_is_learnt_page_by_page() -> None:
    desk = Desk()
    desk.take_all("a.example/1", "b.example/1", "www.a.example/2", "c.example/1")
    assert desk.absorber.steps.index("conclude") < desk.absorber.steps.index("look www.a.example/2")
    assert desk.absorber.steps.index("look c.example/1") < desk.absorber.steps.index("read www.a.example/2")


def test_rounds_are_neither_long_nor_large() -> None:
    desk = Desk()
    desk.take_all(*(f"site{number}.example/" for number in range(MOST_TOGETHER + 1)))
    assert desk.commits == 2

    async def take_large() -> None:
        await asyncio.gather(*(desk.take(f"{name}.example/", body=b" " * (MOST_BYTES // 2 + 1)) for name in "abc"))

    asyncio.run(take_large())
    assert desk.commits == 5


def test_an_error_costs_the_one_page() -> None:
    desk = Desk()
    desk.absorber.failing = {"read a.example/1": KeyError("x"), "absorb b.example/1": ValueError("y")}
    found = desk.take_all("a.example/1", "b.example/1", "c.example/1")
    assert [event and event.reason for event in found] == ["KeyError", "ValueError", ""]
    assert "learn a.example/1" not in desk.absorber.steps
    assert [event.url for event in desk.told if isinstance(event, PageBroke)] == [
        "https://a.example/1",
        "https://b.example/1",
    ]


def test_a_store_that_cannot_write_ends_all_visits() -> None:
    desk = Desk()
    desk.absorber.failing = {"absorb a.example/1": StoreError("full", advice="make room")}

    async def run() -> list[PageVisited | BaseException | None]:
        return list(await asyncio.gather(desk.take("a.example/1"), desk.take("b.example/1"), return_exceptions=True))

    assert [type(found) for found in asyncio.run(run())] == [StoreError, StoreError]


def test_a_suspect_is_not_learnt_from_before_its_server_is_asked() -> None:
    desk = Desk()
    desk.absorber.suspects = {"https://a.example/1"}
    assert desk.take_all("a.example/1", "b.example/1")[0] is None
    assert "read a.example/1" not in desk.absorber.steps
    assert asyncio.run(desk.take("a.example/1", asked=True)) is not None


def test_the_first_pages_are_taken_in_one_by_one_and_rounds_grow() -> None:
    desk = Desk(awaited=3)
    desk.intake.taken = 0
    desk.take_all("a.example/1", "b.example/1")
    assert desk.absorber.steps.index("conclude") < desk.absorber.steps.index("look b.example/1")
    desk.intake.taken = TAKEN_PER_PLACE
    desk.take_all("a.example/2", "b.example/2", "c.example/2")
    assert desk.absorber.steps.index("look b.example/2") < desk.absorber.steps.index("read a.example/2")
    assert desk.absorber.steps.index("absorb b.example/2") < desk.absorber.steps.index("look c.example/2")


@pytest.mark.parametrize("awaited", [0, 3])
def test_an_answer_waits_for_others_but_not_for_long(awaited: int) -> None:
    desk = Desk(awaited)
    assert desk.take_all("a.example/1") != [None]


def test_what_has_come_is_taken_in_although_nobody_waits_any_longer() -> None:
    desk = Desk(awaited=1)

    async def run() -> None:
        visit = asyncio.ensure_future(desk.take("a.example/1"))
        await asyncio.sleep(0)
        visit.cancel()
        await asyncio.gather(visit, return_exceptions=True)

    asyncio.run(run())
    assert "absorb a.example/1" in desk.absorber.steps
