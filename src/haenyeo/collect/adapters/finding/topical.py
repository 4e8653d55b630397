"""Finds for topics: each judges every page and scores its links, which wait in the frontiers of those that want them.

Every few pages a topic's scorer revises what the waiting links are worth, and the queue is put in order anew. What the
scorers have learnt is stored now and then, with the number of the last page they know; after a crash the pages since
then are read again from the archive (see `resume`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
import xxhash

from haenyeo.collect.adapters.archive import archived_markup
from haenyeo.collect.adapters.finding.finder import HeardPage, PageFinding, Sight, page_elsewhere
from haenyeo.collect.adapters.finding.handing import UserVerdict
from haenyeo.collect.adapters.finding.rejudging import Rejudged, rejudged
from haenyeo.collect.adapters.finding.said import standings, told_by_user
from haenyeo.collect.adapters.finding.scored_links import REFUSED, KeyedLinks, ScoredLinks
from haenyeo.collect.adapters.finding.shared_crawl import SharedCrawl
from haenyeo.collect.adapters.finding.topics import TopicAtWork
from haenyeo.collect.adapters.finding.waiting_pages import WaitingPages
from haenyeo.collect.links.jobs import NO_TOPIC, SEED_DEPTH, Job, named_job
from haenyeo.collect.links.queue import OUTSIDE, CrawlQueue
from haenyeo.html.blocks import headings
from haenyeo.html.page_links import PageLinks
from haenyeo.html.surroundings import WORDS
from haenyeo.model.config import Topic
from haenyeo.model.pages import Document, Outlink, Url
from haenyeo.model.parts import LinkedPage, SaidHow
from haenyeo.model.visits import Outcome
from haenyeo.native.c_library import give_back_memory
from haenyeo.store import NewLink, PartState, SavedPage, Store, StoredPage

_STRICTNESS = 0.9
_CHECKPOINT = 5_000  # pages between two times what was learnt is stored
_MOST_MOVED = 20_000  # pages remembered that were read elsewhere than the links to them say
_AWAITED = 50  # seeds that are read before the links of examples: the user chose where to start
_NO_ANSWER = frozenset({Outcome.FAILED, Outcome.REFUSED})
_NO_PAGE = _NO_ANSWER | {Outcome.GONE, Outcome.ERROR, Outcome.USELESS}
_KEY_MASK = (1 << 63) - 1  # scorers keep keys as signed numbers


class TopicFinder:
    """Joins the topics' scorers with queue and store.

    `told` says which pages the user gave as examples, and for which topics they are good ones, `standing` how he came
    to speak of those he did not give beforehand; `given` are the topics as the settings have them, `starts` the seeds.
    """

    def __init__(
        self, store: Store, queue: CrawlQueue, topics: dict[str, TopicAtWork], strategy: str, *, feeds: bool
    ) -> None:
        self._store, self._queue, self.topics, self.reads_lists = store, queue, topics, feeds
        self._words_around = max((getattr(topic.scorer, "words_around", WORDS) for topic in topics.values()), default=0)
        self.strategy = strategy
        self.strictness = max((getattr(one.scorer, "strictness", _STRICTNESS) for one in topics.values()), default=0.0)
        queue.credit.lists_only = all(getattr(topic.scorer, "heeds_dead_links", False) for topic in topics.values())
        self.told: dict[Url, dict[str, bool]] = {}
        self.standing: dict[Url, SaidHow] = {}
        self.given: Mapping[str, Topic] = {}
        self.starts: set[Url] = set()
        self._untried, self._untried_seeds = set[Url](), set[Url]()
        self._moved: dict[Url, int] = {}
        self._since = self._last_page = 0
        self._shared = SharedCrawl(list(topics), store, queue.claimed) if len(topics) > 1 else None
        self._waiting = WaitingPages(queue, topics, self._shared.fetched if self._shared else {})
        if self._shared:
            queue.count_spent(self._shared.read)

    def find(self, sight: Sight) -> PageFinding:
        """Judge a page for every topic, learn from it, and offer its links with what they are worth."""
        if sight.again:
            return self._find_again(sight)
        page, places, every = self._linked(sight, sight.outlinks)
        relevance, worths = self.learn(page, sight.job.url, self._shared.asker(sight.job) if self._shared else None)
        if sight.document.url != sight.job.url and len(self._moved) < _MOST_MOVED:
            self._moved[sight.document.url] = page.key
        extra = sight.extra(feeds=self.reads_lists)
        offer = ScoredLinks(page.links, places, worths).offered(self._queue, sight.job.depth, every, extra)
        return PageFinding(offer, relevance, self.wants(relevance), self._end_turn(sight.job, relevance))

    def _find_again(self, sight: Sight) -> PageFinding:
        """Offer the links that are new on a page; with them it counts as one more page, of a key of its own."""
        new = self._queue.unseen([link.url for link in sight.outlinks])
        outlinks = [link for link in sight.outlinks if link.url in new]
        if not outlinks:
            return PageFinding()
        page, places, every = self._linked(sight, outlinks)
        version = xxhash.xxh3_64_intdigest(sight.document.text.encode("utf-8", "replace"), page.key) & _KEY_MASK
        _, worths = self.learn(msgspec.structs.replace(page, key=version), Url(""))
        extra = sight.extra(feeds=self.reads_lists)
        return PageFinding(ScoredLinks(page.links, places, worths).offered(self._queue, sight.job.depth, every, extra))

    def learn(
        self, page: LinkedPage, url: Url, by: Sequence[str] | None = None
    ) -> tuple[dict[str, float], list[Sequence[float]]]:
        """The page's relevance for each topic, and what its links are worth to each.

        Only those in `by` learn from it, or all if it is None and no example; the others only glance at it.
        """
        told = self.told.get(url, {})
        if told:
            page = msgspec.structs.replace(page, said=self.standing.get(url, "given"))
        relevance: dict[str, float] = {}
        worths: list[Sequence[float]] = []
        for number, (name, topic) in enumerate(self.topics.items()):
            met = self._shared.met_by(number, page, told) if self._shared else page
            if name in told:
                topic.taught[page.key] = told[name]
                relevance[name], worth = float(told[name]), topic.scorer.example(met, relevant=told[name])
            elif not self._shared or (not told if by is None else name in by):
                relevance[name], worth = topic.scorer.visit(met)
            else:
                counts_against = any(told.values()) and not self._is_told_what_it_is_not(name)
                relevance[name], worth = topic.glance(met, counts_against=counts_against)
            worths.append(worth)
        self._waiting.end(page.key)
        if self._shared:
            for number, worth in enumerate(worths):
                self._shared.join(self._queue, number, self._waiting.places, zip(page.targets, worth, strict=True))
        return relevance, worths

    def _is_told_what_it_is_not(self, name: str) -> bool:
        """Whether the user gave counter-examples for the topic."""
        return any(told.get(name) is False for told in self.told.values())

    def _end_turn(self, job: Job, relevance: Mapping[str, float]) -> tuple[PartState, ...]:
        """Count a page for the topic on whose turn it was asked for; returns what is to be stored with it."""
        if self._shared is None or job.topic == NO_TOPIC:
            return ()
        self._shared.note_fetched(self.key(job.url), job)
        wanted = [name for name, topic in self.topics.items() if topic.wants(relevance.get(name, 0.0))]
        if job.url in self.told:
            return self._shared.note_example(job, self.told[job.url])
        return self._shared.end_turn(job, wanted)

    def catch_up(self) -> bool:
        """Let topics learn from pages that they would ask for now and another has asked for; whether there were any."""
        owed = self._shared.owed(self._queue, self.told) if self._shared else []
        for number, page in owed:
            assert self._shared
            name = self._shared.names[number]
            linked = self._shared.met_by(number, self.read_again(page), self.told.get(page.url, ()))
            relevance, worth = self.topics[name].scorer.visit(linked)
            self._shared.join(self._queue, number, self._waiting.places, zip(linked.targets, worth, strict=True))
            self._shared.note_seen(page.url, name)
            if page.outcome is Outcome.PAGE and not page.reason:
                now = {**page.relevance, name: relevance}
                self._store.rejudge(page.url, now, kept=self.wants(now))
        if owed:
            self.revise()
        return bool(owed)

    def wants(self, relevance: Mapping[str, float]) -> bool:
        """Does any topic want a page of this relevance?"""
        return any(topic.wants(relevance.get(name, 0.0)) for name, topic in self.topics.items())

    def missed(self, job: Job, *, answered: bool) -> None:
        """Learn that nothing is there; an address that did not answer or may not be asked teaches nothing."""
        page = LinkedPage(key=self.key(job.url), url=job.url, depth=job.depth)
        asker = self._shared.asker(job) if self._shared else None
        for name, topic in self.topics.items():
            if answered and (asker is None or name in asker):
                topic.scorer.visit(page)
        self._waiting.end(page.key)
        if self._shared and job.topic != NO_TOPIC:
            self._shared.note_fetched(page.key, job)
            if job.url not in self.told:
                self._shared.miss(job)

    def settle(self, saved: SavedPage, new: Sequence[NewLink]) -> None:
        """Note where the new links wait."""
        for ref, link in enumerate(new, saved.first_ref):
            self._waiting.places[self.key(link.url)] = ref, link.site
        self._last_page = max(self._last_page, saved.page)
        self._since += 1

    def conclude(self) -> None:
        """Revise what waits, store what was learnt when it is time; all that was learnt from is stored."""
        self.revise()
        if self._since >= _CHECKPOINT:
            self.remember()
            self.judge_again()

    def receive(self, links: Sequence[tuple[int, NewLink]], relevance: Mapping[str, float]) -> None:
        """Note where links wait that another crawl has found, and learn from the page they stand on."""
        places = {self.key(link.url): (ref, link.site) for ref, link in links}
        self._waiting.places.update(places)
        page = page_elsewhere([link for _, link in links], self.key)
        for number, (name, topic) in enumerate(self.topics.items()):
            if page is not None and (learn := getattr(topic.scorer, "receive", None)):
                learn(page, relevance.get(name, 0.0))
            self._waiting.reorder(places.keys() & topic.worth.keys(), number)

    def revise(self) -> None:
        """Put the queue in order by what the waiting pages are worth now."""
        self._waiting.revise()

    def remember(self) -> None:
        """Store what was learnt."""
        self._since = 0
        give_back_memory()
        for name, topic in self.topics.items():
            self._store.put_states(topic.states(name, self.strategy, self._last_page))

    def begin(self, seeds: Sequence[Url]) -> None:
        """Queue the examples that were never fetched, then the seeds; all other links are held back until then.

        A seed that is an example of other topics than those that start there is read with the seeds.
        """
        self.starts.update(seeds)
        examples = self.unfetched()
        self._queue.exempt.update(examples)
        everyone = set(range(len(self.topics)))
        starts = [url for url in seeds[:_AWAITED] if self._queue.claimed.get(url, everyone) - self._told_of(url)]
        unseen = self._queue.unseen(starts)
        first = [url for url in starts if url in unseen]
        self.wait_for(self._fetch_first([url for url in examples if url not in unseen]), first)
        self._queue.add(first, SEED_DEPTH)

    def hear(self, verdicts: Sequence[UserVerdict]) -> tuple[int, int]:
        """Take in what the user says of pages; returns how many pages are kept now, and how many no longer are."""
        self.told, self.standing = told_by_user(self.given, self._store), standings(self._store)
        for verdict in verdicts:
            if verdict.undone and verdict.topic in self.topics:
                self.topics[verdict.topic].take_back(self._key_of(verdict.url))
        self.teach_known()
        self._fetch_first(self.unfetched())
        self.revise()
        return self.judge_again()

    def _fetch_first(self, examples: list[Url]) -> list[Url]:
        """Let examples, also waiting ones, be asked for before all else, but only for topics they are examples of."""
        self._queue.exempt.update(examples)
        for url in examples if self._shared else ():
            self._queue.claimed.setdefault(url, set()).update(self._told_of(url))
        self._queue.add(examples, SEED_DEPTH)
        self.hurry(examples)
        return examples

    def judge_again(self) -> tuple[int, int]:
        """Judge the newest pages by what is known now; returns how many are kept now, and how many no longer are."""
        give_back_memory()
        changed = self.rejudged()
        self._store.rejudge_all(page.now for page in changed)
        return sum(page.gained for page in changed), sum(page.lost for page in changed)

    def rejudged(self) -> list[Rejudged]:
        """The newest pages that are judged otherwise by now than is stored."""
        return list(rejudged(self._store, self.topics, self.told, self._key_of))

    def _key_of(self, url: Url) -> int:
        """The number a page is known by that was read at this address."""
        return self._moved.get(url) or self.key(url)

    def learn_again(self, page: StoredPage) -> None:
        """Learn from a stored page, after a restart, as when it was fetched."""
        if page.outcome in _NO_PAGE:
            self.missed(named_job(page.url, page.depth), answered=page.outcome not in _NO_ANSWER)
            return
        self.learn(self.read_again(page), page.url, self._shared.seen_by(page.url) if self._shared else None)

    def teach_known(self) -> None:
        """Teach the examples that were fetched before anyone said they are some."""
        for url in self.untaught():
            page = self._store.page(url)
            if page is not None and page.outcome not in _NO_PAGE:
                self.teach(self.read_again(page), url)

    def read_again(self, page: StoredPage) -> LinkedPage:
        """A stored page as its topics' scorers saw it."""
        document = Document(url=page.url, title=page.title, text=page.text, language=page.language)
        markup = archived_markup(self._store, page)
        return self.linked(Sight(job=named_job(page.url, page.depth), document=document, markup=markup))

    def untaught(self) -> list[Url]:
        """The examples some topic has yet to learn from."""
        return [url for url, told in self.told.items() if any(self._is_new(url, *said) for said in told.items())]

    def unfetched(self) -> list[Url]:
        """The examples among them that were never asked for, and that are ours to ask for."""
        return [url for url in self.untaught() if self._queue.is_ours(url) and self._store.page(url) is None]

    def teach(self, page: LinkedPage, url: Url) -> None:
        """Let the topics that did not know this example learn from it."""
        page = msgspec.structs.replace(page, said=self.standing.get(url, "given"))
        for name, relevant in self.told[url].items():
            if self._is_new(url, name, relevant):
                self.topics[name].taught[page.key] = relevant
                self.topics[name].scorer.example(page, relevant=relevant)

    def examples(self) -> list[Url]:
        """The pages that the user named."""
        return list(self.told)

    def hear_page(self, heard: HeardPage) -> None:
        """Let the topics learn from a page as another crawl has fetched it; several topics learn from examples only."""
        example = heard.url in self.told
        sight = heard.sight() if example or not self._shared else None
        if sight and example:
            self.teach(self.linked(sight), heard.url)
        elif sight:
            next(iter(self.topics.values())).witness(self.linked(sight))
        self.revise()

    def is_example(self, url: Url) -> bool:
        """Did the user name it?"""
        return url in self.told

    def tried(self, job: Job) -> None:
        """Let the seeds go once all examples have been asked for, and the other links once the seeds have been."""
        if self._waiting.urgent:
            self._waiting.urgent.pop(self.key(job.url), None)
        if self._untried:
            self._untried.discard(job.url)
            if not self._untried and self._untried_seeds:
                self._untried, self._untried_seeds = self._untried_seeds, set()
                self._queue.let_go_first()
            elif not self._untried:
                self._queue.let_go()

    def wait_for(self, examples: Sequence[Url], seeds: Sequence[Url]) -> None:
        """Hold all other links back until the examples and then these seeds, the next to be queued, were asked for."""
        self._untried = set(examples)
        if self._untried:
            self._untried_seeds = set(seeds)
            self._queue.hold_back()

    def hurry(self, examples: Sequence[Url]) -> None:
        """Let these come before all else that waits, also if they have waited before."""
        self._waiting.hurry({self.key(url): self._told_of(url) for url in examples})

    def _told_of(self, url: Url) -> set[int]:
        """The numbers of the topics that the user has told of a page."""
        return {number for number, name in enumerate(self.topics) if name in self.told.get(url, ())}

    def key(self, url: Url) -> int:
        """The number a page is known by to the scorers."""
        return self._queue.key(url) & _KEY_MASK

    def place(self, places: Mapping[int, tuple[int, str]], last_page: int) -> None:
        """Learn, after a restart, under which reference and site pages wait, and put them in order."""
        self._last_page = last_page
        self._waiting.restore(places, REFUSED if self._shared else 0.0)

    def linked(self, sight: Sight) -> LinkedPage:
        """A page with those of its links that may be followed."""
        return self._linked(sight, sight.outlinks)[0]

    def _is_new(self, url: Url, name: str, relevant: bool) -> bool:  # noqa: FBT001 - a verdict, not a switch
        return name in self.topics and self.topics[name].taught.get(self.key(url)) is not relevant

    def _linked(self, sight: Sight, outlinks: list[Outlink]) -> tuple[LinkedPage, list[int], KeyedLinks]:
        job, document = sight.job, sight.document
        keys = self._queue.keys(urls := [link.url for link in outlinks])
        own = {self._queue.key(job.url), self._queue.key(document.url), OUTSIDE}
        places = [place for place, key in enumerate(keys) if key not in own]
        around = max(WORDS, self._words_around)
        links = PageLinks(sight.markup, [outlinks[place] for place in places], around) if sight.markup else None
        heading, subheadings = headings(sight.markup.blocks) if sight.markup else ("", "")
        page = LinkedPage(
            key=self.key(job.url),
            url=job.url,
            title=document.title,
            text=document.text if links is None else links.page_text,
            main=document.text,
            heading=heading,
            subheadings=subheadings,
            language=document.language,
            depth=job.depth,
            start=job.url in self.starts,
            links=() if links is None else links,
            targets=[keys[place] & _KEY_MASK for place in places],
        )
        return page.without_words() if sight.silent else page, places, KeyedLinks(urls, keys)
