"""The queue of links: what is new, in scope and how urgent; joins seen set, traps, frontier and store."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial

import numpy as np
import numpy.typing as npt

from haenyeo.collect.links.address_keys import AddressKeys
from haenyeo.collect.links.credit import Credit
from haenyeo.collect.links.held_back import HeldBack
from haenyeo.collect.links.jobs import NO_REF, NO_TOPIC, NOTHING, Describe, Job, Offer, Score, Split, new_links
from haenyeo.collect.links.outbox import LinksSent, Outbox
from haenyeo.collect.links.resting_servers import Aside, Rests
from haenyeo.collect.links.scope import Scope
from haenyeo.collect.links.steering import Steering
from haenyeo.collect.links.worths import NOT_WANTED, TopicWorths
from haenyeo.find.frontier import Waiting
from haenyeo.find.seen import SeenSet
from haenyeo.find.topic_frontiers import TopicFrontiers
from haenyeo.find.traps import Traps
from haenyeo.html.urls import site_of, url_hash
from haenyeo.model.pages import Link, Url
from haenyeo.model.parts import LinkScorer
from haenyeo.store import LinkBatch, NewLink, Store, StoredLink

MOST_AT_HAND = 256  # links that were asked for lately
REMEMBERED = 200_000  # waiting links whose discount is remembered
PUSHED_TOGETHER = 1 << 18  # links that are sorted at a time after a restart, or a part of very many
PARTS_PUSHED = 8
ROOM_FOR_MORE = 4  # a quarter as many new links fit into the seen set after a restart before it grows
OUTSIDE = 0  # the key of an address that is not followed
MOST_ASIDE = 256  # links put aside in one go before others have their turn


class CrawlQueue:
    """Links that wait, over all sites.

    `offer` finds what is new and scores it; once the store has given the new links their refs, `enqueue` lets them
    wait; `add` does all of this for addresses that stand on no page. `take` gives out the best; every job taken is
    given back by either `release` or `put_back`. Whoever visits a page that does not wait here reserves a turn at its
    site with `reserve` and gives it back with `release` or `give_up_turn`, so that no site is asked by two at a time.
    All addresses are canonical; those that are `exempt` may be followed wherever they lead. Several topics, given by
    `weights`, have a frontier each; what is `claimed` by some of them is not added for the others. Links wanted after
    another had them are in `shared`, with the topic's number, until they are taken out. With an `outbox` only some
    sites are this crawl's: links to others go there, and others' crawls bring some.
    """

    def __init__(  # noqa: PLR0913 - all that decides what waits
        self,
        store: Store,
        scope: Scope,
        scorer: LinkScorer,
        traps: Traps,
        *,
        per_site: int,
        weights: Sequence[float] = (1.0,),
        outbox: Outbox | None = None,
    ) -> None:
        self.outbox = outbox
        self._store, self._scope, self._scorer = store, scope, scorer
        self._topics = range(len(weights))
        self._frontier = TopicFrontiers(weights, per_site=per_site)
        self._rests = Rests(self._frontier, lambda refs: [link.url for link in store.links(refs)])
        self._seen = SeenSet()
        self._visited: set[int] = set()
        self._given_out: set[int] = set()
        self._overtaken: set[int] = set()
        self._keys = AddressKeys(self._find_key)
        self.credit = Credit()
        self.lent: set[Job] = set()  # those whose servers hang
        self._reserved: dict[str, int] = {}
        self._per_site = per_site
        self._at_hand: dict[int, StoredLink] = {}
        self._worths = TopicWorths(len(weights))
        self._rescorers = [partial(self._worth_now, topic) for topic in self._topics]
        self._discounts: dict[int, float] = {}
        self._held = HeldBack(self._frontier)
        self.exempt: set[Url] = set()
        self.claimed: dict[Url, set[int]] = {}
        self.shared: list[tuple[int, Url]] = []
        self.traps = traps
        self.steering = Steering(store.folder)

    def __len__(self) -> int:
        return max(0, len(self._frontier) + len(self._rests) - len(self._overtaken))

    def rebuild(self) -> None:
        """Fill seen set and frontier from the store; called once, before anything else."""
        self._visited.update(self._store.finished().tolist())
        found = self._store.found_count()
        self._seen = SeenSet(expected=found + found // ROOM_FOR_MORE)
        names = self._store.sites()
        together = max(PUSHED_TOGETHER, found // PARTS_PUSHED)
        gathered: list[LinkBatch] = []
        for batch in self._store.link_batches():
            self._seen.add(batch.hashes)
            gathered.append(batch.waiting())
            if sum(map(len, gathered)) >= together:
                self._push_by_site(gathered, names)
                gathered = []
        if gathered:
            self._push_by_site(gathered, names)

    def _push_by_site(self, parts: Sequence[LinkBatch], names: Mapping[int, str]) -> None:
        links = LinkBatch.joined(parts)
        order = np.argsort(links.sites, kind="stable")
        numbers, counts = np.unique(links.sites, return_counts=True)
        sites = [names[number] for number in numbers.tolist()]
        self._rests.know(sites)
        self._frontier.push_groups(sites, counts, links.refs[order], links.scores[order].astype(np.float64))

    def offer(self, urls: Sequence[Url], depth: int, describe: Describe) -> Offer:
        """What is new among the links of a page at this depth, scored by the queue's scorer."""
        return self.offer_keys(self.keys(urls), depth, describe)

    def offer_keys(
        self,
        keys: Sequence[int],
        depth: int,
        describe: Describe,
        score: Score | None = None,
        split: Split | None = None,
    ) -> Offer:
        """The same for links of these keys, scored by `score` if it is given.

        `split` gives what they are worth to each topic if there are several.
        """
        if not keys or not self._scope.holds_depth(depth + 1):
            return NOTHING
        places = [place for place in self._seen.new_places(keys) if keys[place] != OUTSIDE]
        links: list[NewLink] = []
        if places:
            described = describe(places)
            links = new_links(described, score(places) if score else self._scorer.score(described, depth))
        targets = dict.fromkeys(keys)
        targets.pop(OUTSIDE, None)
        return Offer(list(targets), links, split(places) if split and places else ())

    def unseen(self, urls: Sequence[Url]) -> set[Url]:
        """Those in scope that were never offered."""
        return {url for url in urls if (key := self.key(url)) != OUTSIDE and key not in self._seen}

    def enqueue(self, first_ref: int, links: Sequence[NewLink], worths: Sequence[tuple[float, ...]] = ()) -> None:
        """Let new links wait under the refs the store gave them, for the topics to which they are worth something."""
        self._rests.note(links)
        refs = range(first_ref, first_ref + len(links))
        self._held.push(([link.site for link in links], refs, self._worths.by_topic(refs, links, worths)))

    def add(self, urls: Sequence[Url], depth: int) -> None:
        """Store and enqueue the addresses that are new; they stand on no page, or on a list at this depth."""
        offer = self.offer(urls, depth, lambda places: [Link(url=urls[place]) for place in places])
        new = (offer if self.outbox is None else self.outbox.sent_off(offer, depth + 1)).new
        if new:
            self.enqueue(self._store.add_seeds(new), new, [self._claims(link) for link in new] if self.claimed else ())

    def receive(self, sent: LinksSent) -> list[tuple[int, NewLink]]:
        """Let links wait that another crawl has found; returns those that are new, with their refs."""
        keys = self.keys([link.url for link in sent.links]) if self._scope.holds_depth(sent.depth) else []
        places = [place for place in self._seen.new_places(keys) if keys[place] != OUTSIDE]
        new = [sent.links[place] for place in places]
        if not new:
            return []
        first = self._store.add_seeds(new, sent.depth)
        self.enqueue(first, new, [sent.worths[place] for place in places] if sent.worths else ())
        return list(enumerate(new, first))

    def is_ours(self, url: Url) -> bool:
        """Whether this crawl asks the address's site itself."""
        return self.outbox is None or self.outbox.owns(site_of(url))

    def _claims(self, link: NewLink) -> tuple[float, ...]:
        """What an address that stands on no page is worth to each topic: nothing to those that did not claim it."""
        claims = self.claimed.get(link.url, self._topics)
        return tuple(link.score if topic in claims else NOT_WANTED for topic in self._topics)

    def hold_back(self) -> None:
        """Keep everything that is enqueued from now on from being taken, until `let_go`."""
        self._held.holding = True

    def let_go(self) -> bool:
        """End the holding back; returns whether anything was held back and can be taken now."""
        return self._held.let_go()

    def let_go_first(self) -> None:
        """Free the group that was enqueued first of all that are held back."""
        self._held.let_go_first()

    def be_strict(self, strictness: float) -> None:
        """Give out only what is worth this share of the best link that waits for its site, or more."""
        self._frontier.strictness = strictness

    def rescore(self, places: Sequence[tuple[int, str]], scores: Sequence[float], topic: int = 0) -> None:
        """Put a topic's waiting links in order anew, given by their ref and site; all others stay where they are."""
        if not places:
            return
        if len(self._topics) > 1:
            self.join(topic, places, scores)
        asked, sites = zip(*places, strict=True)
        refs, worth = np.array(asked, np.int64), np.array(scores)
        self._worths.remember(topic, refs, worth)
        if self._discounts:
            worth *= [self._discounts.get(ref, 1.0) for ref in asked]
        order = np.argsort(refs)
        refs, worth = refs[order], worth[order]

        def now_worth(waiting: npt.NDArray[np.int64], before: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
            at = np.searchsorted(refs, waiting).clip(max=len(refs) - 1)
            return np.where(refs[at] == waiting, worth[at], before)

        self._held.rescore(topic, now_worth)
        for site in dict.fromkeys(sites):
            self._frontier.rescore(topic, site, now_worth)

    def join(self, topic: int, places: Sequence[tuple[int, str]], scores: Sequence[float]) -> None:
        """Let links wait for a topic, too, that did not want them until now; links that it has stay where they are.

        A link that was fetched for another may join as well: it comes up in `shared` when it is the topic's best.
        """
        for (ref, site), score in zip(places, scores, strict=True):
            if score >= 0 and self._worths.is_left_to_others(topic, ref):
                self._worths.remember(topic, np.array([ref]), np.array([score]))
                self._held.join(topic, site, ref, score)

    def take(self, now: float) -> Job | None:
        """The best link of a site that may be asked now; None, also while something `shared` is to be learnt first."""
        self.steering.look(now)
        if self._rests:
            self._rests.wake(now)
        aside = 0
        while aside < MOST_ASIDE and (taken := self._frontier.pop(now, self._rescorers)) is not None:
            site, ref, topic, shared = taken
            link = self._link(ref)
            if shared:
                self.shared.append((topic, link.url))
                return None
            key = self.key(link.url)
            self._overtaken.discard(key)
            if self._rests and self._rests.holds(link.url, Aside(site, ref, self._worths.all_of(link))):
                aside += 1
            elif self._is_wanted(link.url):
                self._given_out.add(key)
                self._frontier.begin(topic)
                return Job(ref=ref, url=link.url, site=site, depth=link.depth, score=link.score, topic=topic)
            self._frontier.release(site, now)
        return None

    def _is_wanted(self, url: Url) -> bool:
        """Is there still a reason to ask for this address?"""
        settled = self.is_visited(url) or not self.follows(url) or self.traps.repeats(url)
        return not settled and (self.steering.idle or not self.steering.blocks(url))

    def _worth_now(self, topic: int, ref: int, _: float) -> float:
        """A link's score in the light of traps and dead links met since it was pushed, and of what the user prefers."""
        link = self._link(ref)
        discount = self.traps.discount(link.url)
        if self.credit:
            discount *= self.credit.factor(link)
        if discount < 1:
            if len(self._discounts) >= REMEMBERED:
                self._discounts.clear()
            self._discounts[ref] = discount  # or each new order would put all of a trap's links first again
        worth = self._worths.of(link, topic) * discount
        return worth if self.steering.idle else min(1.0, worth * self.steering.factor(link.url))

    def _link(self, ref: int) -> StoredLink:
        """The link behind a reference; those that were asked for lately are at hand."""
        link = self._at_hand.get(ref)
        if link is None:
            if len(self._at_hand) >= MOST_AT_HAND:
                self._at_hand.clear()
            link = self._at_hand[ref] = self._store.links([ref])[0]
        return link

    def release(self, job: Job, ready_at: float) -> None:
        """The job is done; its site may be asked again at `ready_at`."""
        if job.ref != NO_REF:
            self._given_out.discard(self.key(job.url))
        if job in self.lent:
            self.lent.discard(job)
            self._frontier.postpone(job.site, ready_at)
            return
        self._frontier.release(job.site, ready_at)
        if job.topic != NO_TOPIC:
            self._frontier.end(job.topic)

    def put_back(self, job: Job, ready_at: float, not_before: float = 0.0) -> None:
        """The job waits again, until its site's next turn at least, unless another has dealt with its address.

        It is not given out before `not_before`, whenever its site may be asked.
        """
        self.release(job, ready_at)
        if job.ref == NO_REF or self.is_visited(job.url):
            return
        worths = self._worths.all_of(self._link(job.ref)) if len(self._topics) > 1 else (job.score,)
        if not_before > ready_at:
            self._rests.wait(job.url, Aside(job.site, job.ref, worths), not_before)
        else:
            self._frontier.push(job.site, [job.ref], [[worth] for worth in worths])

    def lend(self, job: Job, ready_at: float) -> None:
        """The job hangs: from `ready_at` on another of its site may have its slot."""
        self.lent.add(job)
        self._frontier.lend(job.site, ready_at)
        if job.topic != NO_TOPIC:
            self._frontier.end(job.topic)

    def count_spent(self, turns: Sequence[int]) -> None:
        """Go on with the turns that the topics have had in earlier runs."""
        self._frontier.count_spent(turns)

    def give_back_turn(self, job: Job, share: float) -> None:
        """This share of the turn that the job was of its topic does not count."""
        if job.topic != NO_TOPIC:
            self._frontier.give_back_turn(job.topic, share)

    def reserve(self, site: str) -> None:
        """Promise the site's next turn to a visit that no link led to; links of the site wait until it has had it."""
        self._reserved[site] = self._reserved.get(site, 0) + 1
        self._frontier.occupy(site)

    def use_turn(self, site: str) -> None:
        """The visit for which a turn was reserved begins."""
        self._reserved[site] -= 1
        if not self._reserved[site]:
            del self._reserved[site]

    def give_up_turn(self, site: str) -> None:
        """The visit for which a turn was reserved is not made."""
        self.use_turn(site)
        self._frontier.release(site, 0.0)

    def is_free(self, site: str) -> bool:
        """Whether fewer visits to the site are under way than it may have at a time."""
        return self._frontier.under_way(site) - self._reserved.get(site, 0) < self._per_site

    def ready_at(self, site: str) -> float:
        """When the site may be asked next."""
        return self._frontier.ready_at(site)

    def postpone(self, site: str, until: float) -> None:
        """Ask nothing of the site before `until`."""
        self._frontier.postpone(site, until)

    def rest(self, site: str, origin: str, until: float) -> None:
        """Ask nothing of one of the site's servers before `until`."""
        self._rests.rest(site, origin, until)

    def next_ready(self, now: float) -> float | None:
        """When a link could be taken next; None when none waits or all their sites are busy."""
        ready = self._frontier.next_ready(now)
        if not self._rests or (wakes := self._rests.next_wake()) is None:
            return ready
        return wakes if ready is None else min(ready, wakes)

    def first(self, count: int) -> list[Waiting]:
        """The best links that wait, best first, whether they may be asked now or not."""
        return self._frontier.top(count)

    def is_visited(self, url: Url) -> bool:
        """Whether this address was visited, or led on to one that was."""
        return self.key(url) in self._visited

    def mark_visited(self, job: Job, others: set[Url]) -> None:
        """The job's address has been dealt with, and the others it led to, which may never have been offered."""
        self._visited.add(self.key(job.url))
        others = others - {job.url}
        if others:
            keys = self.keys(others)
            new = {keys[place] for place in self._seen.new_places(keys)}
            waited = {key for key in keys if key not in new and key != OUTSIDE}
            self._overtaken |= waited - self._visited - self._given_out
            self._visited.update(keys)

    def note_end(self, job: Job, *, alive: bool) -> None:
        """A job's link led somewhere, or nowhere: other links of the page or list that named it are worth less then."""
        if job.ref != NO_REF and (self.credit or not alive):
            self.credit.count(self._link(job.ref), alive=alive)

    def follows(self, url: Url) -> bool:
        """Is this address in scope?"""
        return self._scope.holds(url) or url in self.exempt

    def forget_keys(self) -> None:
        """The traps have learnt something: the same address may now have another key."""
        self._keys.clear()

    def keys(self, urls: Collection[Url]) -> list[int]:
        """The numbers these addresses are known by; `OUTSIDE` for those that are not followed."""
        return list(map(self._keys.__getitem__, urls))

    def key(self, url: Url) -> int:
        """The number an address is known by, the same for all spellings that are known to lead to one page."""
        return self._keys[url]

    def _find_key(self, url: Url) -> int:
        return url_hash(self.traps.key(url)) if self.follows(url) else OUTSIDE
