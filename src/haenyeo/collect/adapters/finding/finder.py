"""What the crawl asks of find, and the answer when no topic has a say: every page is wanted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import msgspec

from haenyeo.collect.adapters.finding.handing import UserVerdict
from haenyeo.collect.links.jobs import NOTHING, Job, Offer, named_job
from haenyeo.collect.links.queue import CrawlQueue
from haenyeo.html.links import leads_aside
from haenyeo.html.parse import parse_page
from haenyeo.html.surroundings import some_surroundings
from haenyeo.model.errors import MarkupError
from haenyeo.model.pages import Document, Link, Markup, Outlink, Url
from haenyeo.model.parts import LinkedPage
from haenyeo.store import NewLink, PartState, SavedPage

MOST_OUTLINKS = 10_000  # links of one page that are looked at
# What the head calls next and previous is linked from the body too where it exists; some generators name what does not.
SEQUENCE = frozenset({"next", "prev"})


class Sight(msgspec.Struct, frozen=True, kw_only=True):
    """A page that was read; it has no markup if it is plain text. `follow` is False if it asks to leave its links.

    `again` says that the page was judged before: only links that are new on it matter. A `silent` one says nothing
    that is wanted: it only leads on.
    """

    job: Job
    document: Document
    markup: Markup | None = None
    follow: bool = True
    again: bool = False
    silent: bool = False

    @property
    def outlinks(self) -> list[Outlink]:
        """The links that may be followed, in page order; of far too many, those at the beginning and at the end.

        Where the page sends its readers on to is no link: it is not for its words that it is followed. Nor are buttons
        that share the page, and pictures; an address that the user names is asked for whatever its name.
        """
        if self.markup is None or not self.follow:
            return []
        links = [link for link in self.markup.links if link.block >= 0 or link.rel not in SEQUENCE]
        links = [link for link in links if not leads_aside(self.job.url, link.url)]
        if self.markup.refresh:
            links = [link for link in links if link.url != self.markup.refresh]
        if len(links) <= MOST_OUTLINKS:
            return links
        return [*links[: MOST_OUTLINKS // 4 * 3], *links[-MOST_OUTLINKS // 4 :]]

    def extra(self, *, feeds: bool) -> list[Url]:
        """Addresses the head names: the page's own canonical one, and its feeds."""
        if self.markup is None or not self.follow:
            return []
        return [
            *([self.markup.canonical] if self.markup.canonical else []),
            *(self.markup.feeds if feeds else ()),
        ]


class HeardPage(msgspec.Struct, frozen=True, array_like=True):
    """A page that another crawl of the collection has fetched; `body` has no content coding.

    `text` and `title` are what it read; without them those of the whole page count. Without a body it was asked for and
    nothing was there.
    """

    url: Url
    content_type: str = ""
    body: bytes = b""
    text: str = ""
    depth: int = 0
    title: str = ""

    def sight(self) -> Sight | None:
        """The page parsed; None if it cannot be."""
        job = named_job(self.url, self.depth)
        if not self.body:
            return Sight(job=job, document=Document(url=self.url))
        try:
            markup = parse_page(self.body, self.url, self.content_type)
        except MarkupError:
            return None
        document = Document(url=self.url, title=self.title or markup.title, text=self.text or markup.text)
        return Sight(job=job, document=document, markup=markup)


def page_elsewhere(links: Sequence[NewLink], key: Callable[[Url], int]) -> LinkedPage | None:
    """The page that links stand on which another crawl has found, with these alone; None if they stand on none."""
    if not links or not links[0].source:
        return None
    source = Url(links[0].source)
    described = [
        Link(url=each.url, source=source, anchor=each.anchor, before=each.before, after=each.after, path=each.path)
        for each in links
    ]
    return LinkedPage(key=key(source), url=source, links=described, targets=[key(each.url) for each in links], depth=1)


class PageFinding(msgspec.Struct, frozen=True):
    """What find makes of a page: its links on offer, its relevance by topic, and whether any topic wants it.

    `states` are to be stored with the page.
    """

    offer: Offer = NOTHING
    relevance: dict[str, float] = {}
    wanted: bool = True
    states: tuple[PartState, ...] = ()


class Finder(Protocol):
    """Judges pages and offers their links to the queue.

    With a page budget, pages are scarce and time is not: a link is given out only if it is worth the share `strictness`
    of the best link that must wait for its site. One that `reads_lists` follows what sitemaps and feeds name.
    """

    strictness: float
    reads_lists: bool

    def find(self, sight: Sight) -> PageFinding:
        """What a page that was read amounts to."""
        ...

    def missed(self, job: Job, *, answered: bool) -> None:
        """Nothing could be read there, though it may have `answered`."""
        ...

    def settle(self, saved: SavedPage, new: Sequence[NewLink]) -> None:
        """A page that was found is stored, its new links with it."""
        ...

    def conclude(self) -> None:
        """All pages found so far are stored: revise what waits, store what was learnt when it is time."""
        ...

    def receive(self, links: Sequence[tuple[int, NewLink]], relevance: Mapping[str, float]) -> None:
        """Links wait now, under these refs, that another crawl has found on a page of this relevance to each topic."""
        ...

    def examples(self) -> list[Url]:
        """The addresses of the pages that the user gave as examples."""
        ...

    def hear_page(self, heard: HeardPage) -> None:
        """Learn from a page that another crawl of the collection has fetched, an example or not."""
        ...

    def catch_up(self) -> bool:
        """Let topics learn from pages that they would ask for now and another has asked for; whether there were any."""
        ...

    def is_example(self, url: Url) -> bool:
        """Did the user give this page as an example?"""
        ...

    def tried(self, job: Job) -> None:
        """The job's address was asked for, whatever came of it."""
        ...

    def begin(self, seeds: Sequence[Url]) -> None:
        """A crawl starts: queue what must be asked for before these seeds, which are queued next."""
        ...

    def hear(self, verdicts: Sequence[UserVerdict]) -> tuple[int, int]:
        """Take in what the user says of pages; returns how many pages are kept now, and how many no longer are."""
        ...

    def judge_again(self) -> tuple[int, int]:
        """Judge the newest pages by what is known now; returns how many are kept now, and how many no longer are."""
        ...

    def revise(self) -> None:
        """Put what waits in order by what was learnt, if that is enough."""
        ...

    def remember(self) -> None:
        """Store what was learnt."""
        ...


class PlainFinder:
    """Scores links one by one with the queue's own scorer; judges no page."""

    strictness = 0.9

    def __init__(self, queue: CrawlQueue, *, feeds: bool) -> None:
        self._queue, self.reads_lists = queue, feeds

    def find(self, sight: Sight) -> PageFinding:
        """Offer the links; every page is wanted."""
        if sight.markup is None or not sight.follow:
            return PageFinding()
        markup, links, extra = sight.markup, sight.outlinks, sight.extra(feeds=self.reads_lists)

        def describe(places: Sequence[int]) -> list[Link]:
            inside = [links[place] for place in places if place < len(links)]
            beyond = [Link(url=extra[place - len(links)], source=markup.base) for place in places[len(inside) :]]
            return [*some_surroundings(markup, inside), *beyond]

        urls = [link.url for link in links]
        urls += extra
        return PageFinding(self._queue.offer(urls, sight.job.depth, describe))

    def missed(self, job: Job, *, answered: bool) -> None:
        """Nothing is learnt from it."""

    def settle(self, saved: SavedPage, new: Sequence[NewLink]) -> None:
        """Nothing is learnt from it."""

    def conclude(self) -> None:
        """Nothing was learnt."""

    def receive(self, links: Sequence[tuple[int, NewLink]], relevance: Mapping[str, float]) -> None:
        """Nothing is learnt from it."""

    def examples(self) -> list[Url]:
        """There are none."""
        return []

    def hear_page(self, heard: HeardPage) -> None:
        """Nothing is learnt from it."""

    def catch_up(self) -> bool:
        """No topic has anything to learn."""
        return False

    def is_example(self, url: Url) -> bool:
        """There are none."""
        del url
        return False

    def tried(self, job: Job) -> None:
        """Nothing waits for it."""

    def begin(self, seeds: Sequence[Url]) -> None:
        """The seeds are all there is to begin with."""

    def hear(self, verdicts: Sequence[UserVerdict]) -> tuple[int, int]:
        """No page is judged, so that none is judged differently."""
        del verdicts
        return 0, 0

    def judge_again(self) -> tuple[int, int]:
        """No page is judged."""
        return 0, 0

    def revise(self) -> None:
        """Nothing was learnt."""

    def remember(self) -> None:
        """Nothing was learnt."""
