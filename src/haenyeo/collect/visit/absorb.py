"""What an answer amounts to: its text, its links, what was learnt; stored in one transaction, its links queued."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import islice

import msgspec
import xxhash

from haenyeo.collect.adapters.archive import archived_html
from haenyeo.collect.adapters.finding.finder import Finder, Sight
from haenyeo.collect.adapters.reading.crawl_reader import CrawlReader, ReadPage
from haenyeo.collect.adapters.reading.whole_texts import is_whole_text, said_by
from haenyeo.collect.adapters.watching.page_watch import Glance, PageWatch
from haenyeo.collect.events import VISITED, Listener, PageVisited
from haenyeo.collect.links.jobs import NO_REF, NOTHING, SEED_DEPTH, Job, Offer
from haenyeo.collect.links.queue import CrawlQueue
from haenyeo.collect.visit.asking import ABROAD, TIRED
from haenyeo.collect.visit.clock import Clock
from haenyeo.collect.visit.findings import Findings, Looked, ReadAnswer
from haenyeo.collect.visit.pdf_pages import SAYS
from haenyeo.fetch.robots_tag import robots_tag
from haenyeo.find.traps import Novelty, TrapVerdict
from haenyeo.find.traps.fingerprint import TextFingerprint, fingerprint
from haenyeo.html.charset import decode
from haenyeo.html.mime import HEAD_BYTES, ContentKind, kind_of
from haenyeo.html.parse import parse_html, parse_page
from haenyeo.html.sitemaps import entries, is_listing
from haenyeo.html.twins import originals, say_the_same
from haenyeo.html.urls import canonical, site_of
from haenyeo.model.errors import MarkupError, StoreError
from haenyeo.model.pages import Document, Link, Markup, Url
from haenyeo.model.visits import Answer, Outcome
from haenyeo.read.markdown.pages import as_html, is_markdown
from haenyeo.store import PageRecord, SavedPage, Store, StoredPage
from haenyeo.watch.content import TwoVersions

SHOWN = "as a browser shows it"
"""The reason of pages that were read after their scripts had run."""
FOREIGN = "another language"
"""The reason of pages that are in none of the languages that are wanted."""
MOST_LISTED = 50_000  # links taken from one sitemap or feed; the sitemap protocol allows no more
MOST_REFRESHES = 20  # meta refreshes of one site followed at once in one crawl
AT_ONCE = 1.0  # the score of what comes next
MOST_LISTINGS = 50  # sitemaps and feeds of one site read in one crawl
KNOWN = TrapVerdict(kind=Novelty.NEW)  # a page that is visited again is no duplicate of itself
ADDRESS_LIST = re.compile(rb"\s*(?:\xef\xbb\xbf)?\s*https?://\S+\s*(?:\n\s*https?://\S+\s*)*\Z")


class Absorber:
    """Turns answers into stored pages and queued links.

    `tell` hears what changed on pages that were seen before; `our_name` is the one by which servers know us.
    Pages in other `languages` than these, if there are any, are read for their links only.
    """

    def __init__(  # noqa: PLR0913 - everything that has a say about a page
        self,
        store: Store,
        queue: CrawlQueue,
        reader: CrawlReader,
        finder: Finder,
        watch: PageWatch,
        *,
        clock: Clock,
        tell: Listener,
        listings: bool,
        our_name: str,
        languages: Collection[str] = (),
    ) -> None:
        self._store, self._queue, self._listings = store, queue, listings
        self._reader, self._finder, self._watch = reader, finder, watch
        self._clock, self._tell, self._our_name = clock, tell, our_name
        self._languages = frozenset(languages)
        self._listings_read: dict[str, int] = {}
        self._refreshes: dict[str, int] = {}

    def begin_run(self) -> None:
        """Count anew what is bounded for one crawl."""
        self._listings_read.clear()
        self._refreshes.clear()

    def gone(self, job: Job, findings: Findings, reason: str) -> Findings:
        """What was read, as that of an answer which only says that the page is gone."""
        self._queue.note_end(job, alive=False)
        return Findings(outcome=Outcome.GONE, reason=reason, offer=findings.offer)

    def give_up(self, job: Job, answer: Answer, error: Exception) -> PageVisited:
        """Record that our own code failed on this page."""
        return self.absorb(
            job, answer, Findings(outcome=Outcome.FAILED, reason=f"internal error: {type(error).__name__}")
        )

    def note_attempt(self, job: Job, answer: Answer) -> None:
        """Record a visit that will be made again."""
        self._store.save(
            self._record(job, answer, Findings(outcome=answer.outcome, reason=answer.reason), finished=False)
        )
        self._finder.tried(job)

    def add_sitemaps(self, urls: Sequence[str]) -> None:
        """Queue the sitemaps that robots.txt names."""
        if self._listings:
            self._queue.add([address for url in urls[:MOST_LISTINGS] if (address := canonical(url))], SEED_DEPTH)

    @staticmethod
    def survives(error: Exception) -> bool:
        """Can the crawl go on after this error? Not when the store cannot write."""
        return not isinstance(error, StoreError)

    def look(self, answer: Answer, before: StoredPage | None = None) -> Looked:
        """What an answer is, to be given to `read`; nothing is learnt from it. `before` is the page if it is known."""
        if answer.outcome is not Outcome.PAGE:
            return Looked()
        kind = kind_of(answer.content_type, answer.body)
        listed = kind is ContentKind.TEXT and ADDRESS_LIST.match(answer.body[:HEAD_BYTES])
        if kind is ContentKind.TEXT and not listed and is_markdown(answer.content_type, answer.final_url):
            html = as_html(decode(answer.body, answer.content_type))
            return Looked(kind=kind, markup=parse_html(html, answer.final_url))
        if kind is not ContentKind.HTML:
            return Looked(kind=kind)
        try:
            markup = parse_page(answer.body, answer.final_url, answer.content_type)
        except MarkupError as error:
            return Looked(kind=kind, flaw=error.reason)
        if before:
            return Looked(kind=kind, markup=markup)
        page = fingerprint(markup.utf8)
        suspect = self._queue.traps.suspects(answer.final_url, markup.utf8, page)
        return Looked(kind=kind, markup=markup, page=page, suspect=suspect)

    def read(self, answer: Answer, looked: Looked, before: StoredPage | None = None) -> Looked:
        """The same with what it says, to be given to `learn`; what that teaches about its site's pages is learnt."""
        if looked.markup is None or is_whole_text(answer.content_type, answer.final_url):
            return looked
        glance = self._watch.glance(answer, before)
        forgotten = self._forget_design(glance)
        page = self._reader.read(answer, looked.markup)
        return msgspec.structs.replace(
            looked, said=ReadAnswer(markup=looked.markup, page=page, glance=glance, forgotten=forgotten)
        )

    def learn(self, job: Job, answer: Answer, looked: Looked, before: StoredPage | None = None) -> Findings:
        """What an answer that was read amounts to, to be given to `absorb`; all that it teaches is learnt."""
        if answer.outcome is not Outcome.PAGE:
            again = answer.outcome is Outcome.UNCHANGED and before is not None
            return self._unchanged(job, answer) if again else self._no_page(job, answer)
        self._queue.note_end(job, alive=True)
        kind = looked.kind
        if looked.said:
            return self._learn_page(job, answer, looked, looked.said, before)
        if looked.markup:
            said = said_by(looked.markup, answer.final_url)
            return self._read_text(job, answer, before, said, looked.markup)
        if not looked.flaw and (
            kind in (ContentKind.FEED, ContentKind.XML)
            or ADDRESS_LIST.match(answer.body[:HEAD_BYTES])
            or is_listing(job.url)
        ):
            return self._read_listing(job, answer)
        if kind is ContentKind.TEXT:
            text = decode(answer.body, answer.content_type)
            return self._read_text(job, answer, before, Document(url=answer.final_url, text=text))
        reason = looked.flaw or f"not text: {answer.content_type or 'unknown kind'}"
        return Findings(outcome=Outcome.USELESS, reason=reason)

    def _no_page(self, job: Job, answer: Answer) -> Findings:
        if answer.reason == VISITED:
            return Findings(outcome=Outcome.DUPLICATE, reason=answer.reason)
        if job.ref != NO_REF:
            self._finder.missed(job, answered=bool(answer.hops) and answer.reason != ABROAD)
            if answer.outcome is not Outcome.REFUSED:
                self._queue.note_end(job, alive=False)
        offer = self._offer_target(answer.final_url, job.depth) if answer.reason in (TIRED, ABROAD) else NOTHING
        return Findings(outcome=answer.outcome, reason=answer.reason, offer=offer)

    def _unchanged(self, job: Job, answer: Answer) -> Findings:
        findings = self._no_page(job, answer)
        return msgspec.structs.replace(findings, watched=self._watch.seen_again(answer))

    def _learn_page(
        self, job: Job, answer: Answer, looked: Looked, said: ReadAnswer, before: StoredPage | None
    ) -> Findings:
        markup, page, glance = said.markup, said.page, said.glance
        told = markup.robots | markup.robots_for.get(self._our_name, frozenset())
        told |= robots_tag(answer.hops[-1].headers, self._our_name) if answer.hops else frozenset()
        hidden = "noindex" in told or "none" in told
        document = page.document
        follow = not ("nofollow" in told or "none" in told)
        again, foreign = before is not None, self._is_foreign(job, document, before)
        silent = foreign or self._is_copy(job, answer, looked)
        sight = Sight(job=job, document=document, markup=markup, follow=follow, again=again, silent=silent)
        found = self._finder.find(sight)
        offer = found.offer
        verdict = KNOWN if before else self._observe(job, answer.final_url, markup.utf8, offer, looked.page)
        twin = self._twin_of(job, document, before)
        if markup.refresh:
            offer = offer.joined(self._sent_on(markup.refresh, job, verdict))
        versions = self._versions(glance, document.text)
        watched = self._watch.look(answer, versions, glance, document.title, said.forgotten)
        return Findings(
            outcome=Outcome.PAGE if verdict.novel and not twin else Outcome.DUPLICATE,
            reason=verdict.reason
            or twin
            or ("noindex" if hidden else FOREIGN if foreign else page.mark or (SHOWN if answer.rendered else "")),
            read=page,
            offer=offer,
            relevance=before.relevance if before else found.relevance,
            keepable=before.kept if before else verdict.novel and not (hidden or twin or foreign),
            wanted=found.wanted or before is not None,
            simhash=before.simhash if before else verdict.simhash,
            watched=watched,
            near=before is not None and not watched.content_changed,
            suspect=verdict.suspect,
            states=found.states,
        )

    def _versions(self, glance: Glance, text: str) -> TwoVersions:
        """The page before and now, both as they are read by now: what only our reading changed is no change."""
        before = glance.before
        if before is None or before.text == text:
            return TwoVersions(old=text, new=text)
        html = archived_html(self._store, before.url, before.fetched_at)
        if html is None:
            return TwoVersions(old=before.text, new=text)
        if html == glance.html:
            return TwoVersions(old=text, new=text)
        old, new = self._reader.versions(before.url, html, glance.html)
        return TwoVersions(old=old.text, new=new.text, old_page=old.page, new_page=new.page)

    def _forget_design(self, glance: Glance) -> tuple[str, ...]:
        """Let the reader begin anew if the page shows that its site was redesigned; returns what it has forgotten."""
        first = glance.noted.first
        if first is None:
            return ()
        html = archived_html(self._store, first.url, first.at)
        markup = parse_html(html, first.url) if html else None
        return self._reader.begin_anew(site_of(first.url), markup, first.url)

    def _read_text(
        self, job: Job, answer: Answer, before: StoredPage | None, document: Document, markup: Markup | None = None
    ) -> Findings:
        """What a document amounts to that is all text; it leads where its `markup` does."""
        text = document.text.encode(errors="replace")
        foreign = self._is_foreign(job, document, before)
        again = before is not None
        found = self._finder.find(Sight(job=job, document=document, markup=markup, again=again, silent=foreign))
        verdict = KNOWN if before else self._observe(job, answer.final_url, text, found.offer)
        twin = self._twin_of(job, document, before)
        return Findings(
            outcome=Outcome.PAGE if verdict.novel and not twin else Outcome.DUPLICATE,
            reason=verdict.reason or twin or (FOREIGN if foreign else SAYS if answer.rendered else ""),
            read=ReadPage(document),
            offer=found.offer,
            relevance=before.relevance if before else found.relevance,
            keepable=before.kept if before else verdict.novel and not (twin or foreign),
            wanted=found.wanted or before is not None,
            simhash=before.simhash if before else verdict.simhash,
            states=found.states,
        )

    def _is_foreign(self, job: Job, said: Document, before: StoredPage | None) -> bool:
        """Is the page in a language that is not wanted? What has none is wanted, what the user gave, what was kept."""
        language = said.language.partition("-")[0]
        if not self._languages or not language or language in self._languages:
            return False
        return not (self._finder.is_example(job.url) or (before is not None and before.kept))

    def _is_copy(self, job: Job, answer: Answer, looked: Looked) -> bool:
        """Has another address of the site the very same text? No link is worth anything for leading to it again."""
        known = looked.page is not None and self._queue.traps.has_read(answer.final_url, looked.page)
        return known and not self._finder.is_example(job.url)

    def _twin_of(self, job: Job, said: Document, before: StoredPage | None) -> str:
        """Why a page is not needed: the collection has the page of which it is another form; empty if it is needed."""
        if before is not None or self._finder.is_example(job.url):
            return ""
        for original in originals(said.url):
            page = self._store.page(original)
            if page is not None and page.kept and say_the_same(said.text, page.text):
                return f"another form of {page.url}"
        return ""

    def _read_listing(self, job: Job, answer: Answer) -> Findings:
        """The links of a sitemap, a feed or a list of addresses."""
        read = self._listings_read.get(job.site, 0)
        self._listings_read[job.site] = read + 1
        if not self._listings or read >= MOST_LISTINGS:
            return Findings(
                outcome=Outcome.LISTING, reason="too many sitemaps" if self._listings else "sitemaps are off"
            )
        urls = [entry.url for entry in islice(entries(answer.body, answer.final_url), MOST_LISTED)]
        offer = self._queue.offer(urls, job.depth, lambda places: [Link(url=urls[place]) for place in places])
        return Findings(outcome=Outcome.LISTING, offer=offer, digest=xxhash.xxh3_128_digest(answer.body))

    def _observe(
        self, job: Job, url: Url, text: bytes, offer: Offer, page: TextFingerprint | None = None
    ) -> TrapVerdict:
        """Let the traps learn from a page, from its links into its own site."""
        site = site_of(url)
        inside = [link.url for link in offer.new if link.site == site]
        known = len(offer.targets) - len(offer.new)
        given = self._finder.is_example(job.url)
        verdict = self._queue.traps.observe(url, text, inside, known, given=given, page=page)
        if verdict.respelled:
            self._queue.forget_keys()
        return verdict

    def _offer_target(self, url: Url, depth: int) -> Offer:
        """The target of a redirect that cannot be followed now, as a link to be followed later."""
        return self._queue.offer([url], depth, lambda _: [Link(url=url)])

    def _sent_on(self, url: Url, job: Job, verdict: TrapVerdict) -> Offer:
        """Where a page sends its readers on to comes next, as if the server had said so, but only so often in a site.

        From then on pages that say nothing new lead nowhere, or they could do so for ever, and others as links do.
        """
        followed = self._refreshes[job.site] = self._refreshes.get(job.site, 0) + 1
        if followed <= MOST_REFRESHES:
            keys = self._queue.keys([url])
            return self._queue.offer_keys(keys, job.depth, lambda _: [Link(url=url)], lambda _: [AT_ONCE])
        return NOTHING if verdict.barren else self._offer_target(url, job.depth)

    def absorb(self, job: Job, answer: Answer, findings: Findings) -> PageVisited:
        """Store everything that an answer caused, and queue its new links."""
        if self._queue.outbox is not None and findings.offer.new:
            outbox, url = self._queue.outbox, answer.final_url
            offer, sent = outbox.divided(findings.offer, job.depth + 1, url, findings.relevance)
            findings = msgspec.structs.replace(findings, offer=offer, states=(*findings.states, *sent))
        saved = self._store.save(self._record(job, answer, findings, finished=True))
        document = None
        if findings.read:
            document = findings.read.document
            for page in findings.read.settled:
                self._store.put_text(page.url, page.text)
        self._queue_up(job, answer, findings, saved)
        for change in findings.watched.told:
            self._tell(change)
        return PageVisited(
            url=answer.final_url,
            site=job.site,
            outcome=findings.outcome,
            reason=findings.reason,
            status=answer.status,
            title=document.title if document else "",
            depth=job.depth,
            kept=findings.kept,
            found=saved.found,
            relevance=max(findings.relevance.values()) if findings.relevance else None,
            example=self._finder.is_example(job.url),
            links=len(findings.offer.new),
            seconds=answer.seconds,
            bytes=sum([len(hop.body) for hop in answer.hops]),
        )

    def conclude(self) -> None:
        """Let find make something of the pages that were absorbed since the last time."""
        self._finder.conclude()

    def _record(self, job: Job, answer: Answer, findings: Findings, *, finished: bool) -> PageRecord:
        """A redirect that was not followed stays with the address that was asked for: its target is none of ours."""
        url = job.url if answer.outcome is Outcome.REFUSED else answer.final_url
        return PageRecord(
            answer=answer,
            url=url,
            site=job.site if url == job.url else site_of(url),
            at=self._clock.moment(),
            depth=job.depth,
            ref=None if job.ref == NO_REF else job.ref,
            outcome=findings.outcome,
            reason=findings.reason,
            finished=finished,
            document=findings.document,
            near=findings.near,
            digest=findings.digest,
            simhash=findings.simhash,
            relevance=findings.relevance,
            kept=findings.kept,
            targets=findings.offer.targets,
            links=findings.offer.new,
            events=findings.watched.events,
            states=[*findings.watched.states, *(findings.read.states if findings.read else ()), *findings.states],
            rows=findings.watched.rows,
            retracted=findings.watched.retracted,
        )

    def _queue_up(self, job: Job, answer: Answer, findings: Findings, saved: SavedPage) -> None:
        if findings.offer.new:
            self._queue.enqueue(saved.first_ref, findings.offer.new, findings.offer.worths)
        self._queue.mark_visited(job, {hop.url for hop in answer.hops})
        self._finder.settle(saved, findings.offer.new)
        self._finder.tried(job)
