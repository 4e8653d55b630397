"""Finds for topics: each judges every page and scores its links; a page's links are worth what the best topic says.

Every few pages a topic's scorer revises what the waiting links are worth, and the queue is put in order anew. What the
scorers have learnt is stored now and then, with the number of the last page they know; after a crash the pages since
then are read again from the archive (see `resume`).
"""

from __future__ import annotations

import heapq
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from itertools import islice

import msgspec
import xxhash

from haenyeo.collect.adapters.archive import archived_markup
from haenyeo.collect.adapters.finding.finder import PageFinding, Sight
from haenyeo.collect.adapters.finding.handing import UserVerdict
from haenyeo.collect.adapters.finding.rejudging import Rejudged, rejudged
from haenyeo.collect.adapters.finding.topics import PART, UNSAID, Checkpoint, TopicAtWork
from haenyeo.collect.links.jobs import SEED_DEPTH, Job, Offer, named_job
from haenyeo.collect.links.queue import OUTSIDE, CrawlQueue
from haenyeo.html.blocks import headings
from haenyeo.html.page_links import PageLinks
from haenyeo.model.pages import Document, Link, Outlink, Url
from haenyeo.model.parts import LinkedPage, SaidHow
from haenyeo.store import NewLink, SavedPage, Store, StoredPage
from haenyeo.words.korean import chosen

_REFUSED = -1.0  # a link no topic wants to follow
_STRICTNESS = 0.9
_MOST_PLACES = 40_000  # waiting pages whose place in the queue is known
_PLACES_KEPT = 15_000  # of the newest, and of those worth most, when there are too many
_CHECKPOINT = 5_000  # pages between two times what was learnt is stored
_MOST_MOVED = 20_000  # pages remembered that were read elsewhere than the links to them say
_AWAITED = 50  # seeds that are read before the links of examples: the user chose where to start
_KEY_MASK = (1 << 63) - 1  # scorers keep keys as signed numbers


class _Scored(msgspec.Struct, frozen=True):
    """Links with their scores, and their places among all links of their page, which ascend."""

    links: Sequence[Link]
    places: Sequence[int]
    scores: Sequence[float]

    def number_of(self, place: int) -> int | None:
        """Which of the links is at a place; None if the scorers did not see the one there."""
        number = bisect_left(self.places, place)
        return number if number < len(self.places) and self.places[number] == place else None

    def refused(self) -> set[int]:
        """The places of those no topic wants to follow."""
        if min(self.scores, default=0.0) >= 0:
            return set()
        return {place for place, score in zip(self.places, self.scores, strict=True) if score < 0}


class TopicFinder:
    """Joins the topics' scorers with queue and store.

    `told` says which pages the user gave as examples, and for which topics they are good ones, `standing` how he came
    to speak of those he did not give beforehand; `starts` are the seeds.
    """

    def __init__(
        self, store: Store, queue: CrawlQueue, topics: dict[str, TopicAtWork], strategy: str, *, feeds: bool
    ) -> None:
        self._store, self._queue, self.topics, self._feeds = store, queue, topics, feeds
        self.strategy = strategy
        wishes = [getattr(topic.scorer, "strictness", _STRICTNESS) for topic in topics.values()]
        self.strictness = max(wishes, default=0.0)
        self.told: dict[Url, dict[str, bool]] = {}
        self.standing: dict[Url, SaidHow] = {}
        self.starts: set[Url] = set()
        self._untried: set[Url] = set()
        self._untried_seeds: set[Url] = set()
        self._urgent: set[int] = set()
        self._places: dict[int, tuple[int, str]] = {}
        self._moved: dict[Url, int] = {}
        self._since = self._last_page = 0

    def find(self, sight: Sight) -> PageFinding:
        """Judge a page for every topic, learn from it, and offer its links with what they are worth."""
        outlinks = sight.outlinks
        if sight.again:
            return self._find_again(sight)
        page, places = self._linked(sight, outlinks)
        relevance, scores = self.learn(page, sight.job.url)
        if sight.document.url != sight.job.url and len(self._moved) < _MOST_MOVED:
            self._moved[sight.document.url] = page.key
        wanted = self.wants(relevance)
        return PageFinding(self._offer(sight, outlinks, _Scored(page.links, places, scores)), relevance, wanted)

    def _find_again(self, sight: Sight) -> PageFinding:
        """Offer the links that are new on a page; with them it counts as one more page, of a key of its own."""
        urls = [link.url for link in sight.outlinks]
        new = self._queue.unseen(urls)
        outlinks = [link for link in sight.outlinks if link.url in new]
        if not outlinks:
            return PageFinding()
        page, places = self._linked(sight, outlinks)
        version = xxhash.xxh3_64_intdigest(sight.document.text.encode("utf-8", "replace"), page.key) & _KEY_MASK
        _, scores = self.learn(msgspec.structs.replace(page, key=version), Url(""))
        return PageFinding(self._offer(sight, outlinks, _Scored(page.links, places, scores)))

    def learn(self, page: LinkedPage, url: Url) -> tuple[dict[str, float], list[float]]:
        """The page's relevance for each topic, and the worth of its links for the topic that values them most."""
        told = self.told.get(url, {})
        if told:
            page = msgspec.structs.replace(page, said=self.standing.get(url, "given"))
        relevance: dict[str, float] = {}
        scores: list[float] = []
        for name, topic in self.topics.items():
            if name in told:
                topic.taught[page.key] = told[name]
                relevance[name], worth = float(told[name]), topic.scorer.example(page, relevant=told[name])
            else:
                relevance[name], worth = topic.scorer.visit(page)
            scores = list(map(max, scores, worth)) if scores else list(worth)
        self._waits_no_more(page.key)
        return relevance, scores or [_REFUSED] * len(page.links)

    def wants(self, relevance: Mapping[str, float]) -> bool:
        """Does any topic want a page of this relevance?"""
        return any(topic.wants(relevance.get(name, 0.0)) for name, topic in self.topics.items())

    def missed(self, job: Job) -> None:
        """Learn that nothing is there."""
        page = LinkedPage(key=self.key(job.url), url=job.url, depth=job.depth)
        for topic in self.topics.values():
            topic.scorer.visit(page)
        self._waits_no_more(page.key)

    def _waits_no_more(self, key: int) -> None:
        self._places.pop(key, None)
        for topic in self.topics.values():
            topic.worth.pop(key, None)

    def settle(self, saved: SavedPage, new: Sequence[NewLink]) -> None:
        """Note where the new links wait, revise what waits, store what was learnt when it is time."""
        for ref, link in enumerate(new, saved.first_ref):
            self._places[self.key(link.url)] = ref, link.site
        self._last_page = max(self._last_page, saved.page)
        self.revise()
        self._since += 1
        if self._since >= _CHECKPOINT:
            self.remember()
            self.judge_again()

    def revise(self) -> None:
        """Put the queue in order by what the waiting pages are worth now."""
        changed: set[int] = set()
        for topic in self.topics.values():
            keys, worth = topic.scorer.revise()
            if len(topic.worth) + len(keys) > _MOST_PLACES:
                topic.worth = {key: topic.worth[key] for key in _best(topic.worth)}
            topic.worth.update(zip(keys, worth, strict=True))
            changed.update(keys)
        if changed:
            self._reorder(changed)

    def remember(self) -> None:
        """Store what was learnt."""
        self._since = 0
        for name, topic in self.topics.items():
            checkpoint = Checkpoint(
                strategy=self.strategy,
                page=self._last_page,
                taught=sorted(topic.taught),
                disliked=sorted(key for key, liked in topic.taught.items() if not liked),
                learnt=topic.scorer.dump(),
                korean=chosen(),
            )
            self._store.put_state(PART, name, msgspec.msgpack.encode(checkpoint))

    def begin(self, seeds: Sequence[Url]) -> None:
        """Queue the examples that were never fetched, then the seeds; all other links are held back until then."""
        self.starts.update(seeds)
        examples = self._fetch_first(self.unfetched())
        unseen = self._queue.unseen(seeds[:_AWAITED])
        first = [url for url in seeds[:_AWAITED] if url in unseen]
        self.wait_for(examples, first)
        self._queue.add(first, SEED_DEPTH)

    def hear(self, verdicts: Sequence[UserVerdict]) -> tuple[int, int]:
        """Take in what the user says of pages; returns how many pages are kept now, and how many no longer are."""
        for verdict in verdicts:
            self.told.setdefault(verdict.url, {})[verdict.topic] = verdict.relevant
            self.standing[verdict.url] = "asked" if verdict.asked else "volunteered"
        self.teach_known()
        self._fetch_first(self.unfetched())
        self.revise()
        return self.judge_again()

    def _fetch_first(self, examples: list[Url]) -> list[Url]:
        """Let examples be asked for before all else, wherever they lie; some may wait already, as links of pages."""
        self._queue.exempt.update(examples)
        self._queue.add(examples, SEED_DEPTH)
        self.hurry(examples)
        return examples

    def judge_again(self) -> tuple[int, int]:
        """Judge the newest pages by what is known now; returns how many are kept now, and how many no longer are."""
        changed = self.rejudged()
        self._store.rejudge_all(page.now for page in changed)
        return sum(page.gained for page in changed), sum(page.lost for page in changed)

    def rejudged(self) -> list[Rejudged]:
        """The newest pages that are judged otherwise by now than is stored."""
        return list(rejudged(self._store, self.topics, self.told, self._key_of))

    def _key_of(self, url: Url) -> int:
        """The number a page is known by that was read at this address."""
        return self._moved.get(url) or self.key(url)

    def teach_known(self) -> None:
        """Teach the examples that were fetched before anyone said they are some."""
        for url in self.untaught():
            page = self._store.page(url)
            if page is not None:
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
        """The examples among them that were never asked for."""
        return [url for url in self.untaught() if self._store.page(url) is None]

    def teach(self, page: LinkedPage, url: Url) -> None:
        """Let the topics that did not know this example learn from it."""
        page = msgspec.structs.replace(page, said=self.standing.get(url, "given"))
        for name, relevant in self.told[url].items():
            if self._is_new(url, name, relevant):
                self.topics[name].taught[page.key] = relevant
                self.topics[name].scorer.example(page, relevant=relevant)

    def is_example(self, url: Url) -> bool:
        """Did the user name it?"""
        return url in self.told

    def tried(self, job: Job) -> None:
        """Let the seeds go once all examples have been asked for, and the other links once the seeds have been."""
        if self._urgent:
            self._urgent.discard(self.key(job.url))
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
        self._urgent.update(map(self.key, examples))
        self._reorder(set(self._urgent))

    def key(self, url: Url) -> int:
        """The number a page is known by to the scorers."""
        return self._queue.key(url) & _KEY_MASK

    def place(self, places: Mapping[int, tuple[int, str]], last_page: int) -> None:
        """Learn, after a restart, under which reference and site pages wait, and put them in order."""
        self._places.update(places)
        self._last_page = last_page
        self._reorder(set(places))

    def linked(self, sight: Sight) -> LinkedPage:
        """A page with those of its links that may be followed."""
        return self._linked(sight, sight.outlinks)[0]

    def _is_new(self, url: Url, name: str, relevant: bool) -> bool:  # noqa: FBT001 - a verdict, not a switch
        return name in self.topics and self.topics[name].taught.get(self.key(url)) is not relevant

    def _linked(self, sight: Sight, outlinks: list[Outlink]) -> tuple[LinkedPage, list[int]]:
        job, document = sight.job, sight.document
        keys = self._queue.keys([link.url for link in outlinks])
        own = {self._queue.key(job.url), self._queue.key(document.url), OUTSIDE}
        places = [place for place, key in enumerate(keys) if key not in own]
        links = PageLinks(sight.markup, [outlinks[place] for place in places]) if sight.markup else None
        heading, subheadings = headings(sight.markup.blocks) if sight.markup else ("", "")
        page = LinkedPage(
            key=self.key(job.url),
            url=job.url,
            title=document.title,
            text=document.text if links is None else links.page_text,
            main=document.text,
            heading=heading,
            subheadings=subheadings,
            depth=job.depth,
            start=job.url in self.starts,
            links=() if links is None else links,
            targets=[keys[place] & _KEY_MASK for place in places],
        )
        return page, places

    def _offer(self, sight: Sight, outlinks: list[Outlink], scored: _Scored) -> Offer:
        refused = scored.refused()
        kept = [place for place in range(len(outlinks)) if place not in refused] if refused else range(len(outlinks))
        urls = [outlinks[place].url for place in kept] if refused else [link.url for link in outlinks]
        urls += sight.extra(feeds=self._feeds)

        def number(at: int) -> int | None:
            return scored.number_of(kept[at]) if at < len(kept) else None

        def describe(places: Sequence[int]) -> list[Link]:
            return [Link(url=urls[at]) if (found := number(at)) is None else scored.links[found] for at in places]

        def score(places: Sequence[int]) -> list[float]:
            return [UNSAID if (found := number(at)) is None else scored.scores[found] for at in places]

        return self._queue.offer(urls, sight.job.depth, describe, score)

    def _reorder(self, changed: set[int]) -> None:
        worths = [topic.worth for topic in self.topics.values()]
        if len(self._places) > _MOST_PLACES:
            self._forget_places(changed)
        places = self._places
        keys = [key for key in changed if key in places]
        scores = [worths[0].get(key, 0.0) for key in keys] if worths else [0.0] * len(keys)
        for worth in worths[1:]:
            scores = [max(score, worth.get(key, 0.0)) for score, key in zip(scores, keys, strict=True)]
        if self._urgent:
            scores = [1.0 if key in self._urgent else score for score, key in zip(scores, keys, strict=True)]
        self._queue.rescore([places[key] for key in keys], scores)

    def _forget_places(self, changed: set[int]) -> None:
        """Forget where pages wait that scorers have most likely forgotten: the old ones that are worth little."""
        kept = {*changed, *islice(reversed(self._places), _PLACES_KEPT)}
        for topic in self.topics.values():
            kept.update(_best(topic.worth))
        self._places = {key: place for key, place in self._places.items() if key in kept}


def _best(worth: dict[int, float]) -> list[int]:
    """The pages that are worth most."""
    return heapq.nlargest(_PLACES_KEPT, worth, key=worth.__getitem__)
