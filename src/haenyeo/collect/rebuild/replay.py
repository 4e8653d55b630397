"""The archive in place of the network: a visit asks, and what was once answered comes from the record.

Everything above the single request is the code of a real visit: redirects are followed, answers judged and taken in as
they were. A redirect is followed if its target's record comes next.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Iterator
from typing import Protocol, Self

import msgspec

from haenyeo.collect.events import VISITED
from haenyeo.collect.links.jobs import NO_REF, Job
from haenyeo.collect.links.queue import CrawlQueue
from haenyeo.collect.visit.asking import TIRED, Asker
from haenyeo.collect.visit.clock import Clock
from haenyeo.collect.visit.pdf_pages import PdfPages, from_pdf, is_pdf, nobody_reads
from haenyeo.collect.visit.rendering import as_rendered, without_browser
from haenyeo.collect.visit.turns import Turn, Turns
from haenyeo.fetch.answers import content_type_of, is_page_status, never_a_page
from haenyeo.fetch.bodies import CUT_SHORT, TOO_LARGE
from haenyeo.fetch.browser.unscripted import is_drawing, shown_characters, wants_scripts
from haenyeo.fetch.client import Client
from haenyeo.fetch.pace import Pace
from haenyeo.fetch.transport.connections import Connections
from haenyeo.fetch.transport.exchange import NOT_READ, Exchange, Exchanger, Wanted
from haenyeo.fetch.transport.fields import Fields
from haenyeo.fetch.transport.requests import PageRequest
from haenyeo.fetch.transport.targets import Target
from haenyeo.html.urls import origin_of
from haenyeo.model.config import FetchSettings, PaceSettings
from haenyeo.model.errors import FetchError
from haenyeo.model.pages import Url
from haenyeo.model.visits import Answer, Outcome, Validators
from haenyeo.store.rebuilding import ArchivedRecord
from haenyeo.store.warc import ReadRecord

NOT_RECORDED = "not in the archive"


class Recorded(Protocol):
    """Where records come from; see `RecordedArchive`."""

    def records(self) -> Iterator[ArchivedRecord]:
        """The records, one after another."""
        ...

    def turn_to(self, record: ArchivedRecord) -> None:
        """Say from which record the next visit is read."""
        ...

    def payload(self, record: ReadRecord) -> bytes | None:
        """The body of a response; None if it is not there."""
        ...


class Reel:
    """The records of the archive, one after another; the clock shows when the last one that was taken was made."""

    def __init__(self, archive: Recorded) -> None:
        self._archive, self._records = archive, archive.records()
        self.next: ArchivedRecord | None = next(self._records, None)
        self.clock = RecordClock(self._now)
        self._at = time.time()
        self.lost = 0
        self._taken: ArchivedRecord | None = None

    def take(self) -> ArchivedRecord | None:
        """The next record, which the archive then stands at; None at the end."""
        record = self.next
        if record is not None:
            self._archive.turn_to(record)
            self._taken = record
            self._at = record.read.hop.at.timestamp()
            self.next = next(self._records, None)
        return record

    def rendering(self) -> bytes | None:
        """What a browser made of the page in the record taken last, where the archive then stands; None for nothing."""
        rendered = self._taken.rendered if self._taken else None
        if rendered is None:
            return None
        self._archive.turn_to(rendered)
        return rendered.read.hop.body

    def payload(self, record: ArchivedRecord) -> bytes:
        """The body that a record has or refers to; raises `FetchError` if that one is lost."""
        body = self._archive.payload(record.read)
        if body is None:
            self.lost += 1
            raise FetchError("the record refers to one that is not there", reason=NOT_RECORDED)
        return body

    def _now(self) -> float:
        return self._at


class RecordClock(Clock):
    """Shows when the record at hand was made; answers keep the times that they have."""

    def __init__(self, show: Callable[[], float]) -> None:
        super().__init__(show)
        self.is_real = True


class RecordedExchanger(Exchanger):
    """Answers requests from the records, in their order."""

    def __init__(self, connections: Connections, reel: Reel) -> None:
        super().__init__(connections)
        self._reel = reel

    async def exchange(self, target: Target, request: PageRequest, wanted: Wanted, seconds: float) -> Exchange:
        """What was answered, if the next record is about this target; raises `FetchError` if it is not."""
        del request, seconds
        record = self._reel.next
        if record is None or record.read.hop.url != target.url:
            raise FetchError("the archive has no answer", url=target.url, reason=NOT_RECORDED)
        self._reel.take()
        hop = msgspec.structs.replace(record.read.hop, body=self._reel.payload(record))
        fields = Fields([(name.encode("latin-1"), value.encode("latin-1")) for name, value in hop.headers])
        limit = wanted(hop.status, fields)
        return Exchange(hop, fields, _flaw(hop.body, fields, limit) if hop.cut and is_page_status(hop.status) else "")


def _flaw(body: bytes, fields: Fields, limit: int) -> str:
    """Why a body is not whole, which its record does not say."""
    if not body and never_a_page(content_type_of(fields)):
        return NOT_READ
    return TOO_LARGE if len(body) >= limit else CUT_SHORT


class RecordedClient(Client):
    """Fetches from the records."""

    def __init__(self, settings: FetchSettings, reel: Reel) -> None:
        super().__init__(settings, unread=nobody_reads)
        for way in self._ways:
            way.exchanger = RecordedExchanger(way.connections, reel)


class RecordedAsker(Asker):
    """Asks the records; whether a redirect was followed is seen from what comes next.

    `needs_browser` says that pages without text were not kept, `pdf_pages` reads PDFs that nobody has read yet.
    """

    def __init__(
        self,
        client: RecordedClient,
        queue: CrawlQueue,
        reel: Reel,
        *,
        needs_browser: bool,
        pdf_pages: PdfPages | None = None,
    ) -> None:
        self.pace = Pace(PaceSettings(), random.Random())
        super().__init__(client, None, self.pace, queue, clock=reel.clock, network=None, on_sitemaps=lambda _: None)
        self._reel, self._needs_browser, self._pdf_pages = reel, needs_browser, pdf_pages

    @classmethod
    def of(
        cls,
        client: RecordedClient,
        queue: CrawlQueue,
        reel: Reel,
        settings: FetchSettings,
        pdf_pages: PdfPages | None = None,
    ) -> Self:
        """One that knows from the settings whether pages without text are kept."""
        return cls(client, queue, reel, needs_browser=settings.browser != "never", pdf_pages=pdf_pages)

    async def ask(self, job: Job, validators: Validators | None, on_answer: Callable[[], None]) -> Answer:
        """What was answered; a page that a browser has shown is as it was shown then."""
        answer = await super().ask(job, validators, on_answer)
        html = self._reel.rendering() if answer.outcome in (Outcome.PAGE, Outcome.USELESS) else None
        if html is not None:
            return from_pdf(answer, html) if is_pdf(answer) else as_rendered(answer, html)
        if answer.outcome is not Outcome.PAGE:
            return await self._pdf_pages.read(answer) if self._pdf_pages and is_pdf(answer) else answer
        unseen = self._needs_browser and not shown_characters(answer.body, 1) and wants_scripts(answer.body)
        return without_browser(answer) if unseen and not is_drawing(answer.body) else answer

    async def _permit(self, job: Job, target: Url) -> str:
        following = self._reel.next
        if following is not None and following.read.hop.url == target:
            return ""
        if job.ref != NO_REF and not self._queue.follows(target):
            return "redirect out of scope"
        return VISITED if job.ref != NO_REF and self._queue.is_visited(target) else TIRED


class FreeTurns(Turns):
    """Nobody is asked, so every turn is free at once."""

    def begin(self, job: Job) -> Turn:
        """A turn."""
        return Turn(job, origin_of(job.url), 0.0)

    async def wait_for(self, job: Job, patience: float, stopping: asyncio.Event | None = None) -> Turn | None:
        """A turn."""
        del patience, stopping
        return Turn(job, origin_of(job.url), 0.0)

    def end(self, turn: Turn, answer: Answer) -> float:
        """Nothing is kept."""
        del turn, answer
        return 0.0

    def give_up(self, turn: Turn) -> float:
        """Nothing is kept."""
        del turn
        return 0.0

    def release(self, turn: Turn, ready_at: float) -> None:
        """Nothing is kept."""

    def put_back(self, turn: Turn, ready_at: float, not_before: float = 0.0) -> None:
        """Nothing is kept."""

    def answered(self, turn: Turn) -> None:
        """Nothing is kept."""
