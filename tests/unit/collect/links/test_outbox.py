"""Links to the sites of other shards are stored with their page, and change nothing when they come twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from haenyeo.collect.links.jobs import Offer
from haenyeo.collect.links.outbox import LinksSent, Outbox
from haenyeo.collect.links.queue import CrawlQueue
from haenyeo.collect.links.scope import Scope
from haenyeo.find.bfs import BreadthFirst
from haenyeo.find.traps import Traps
from haenyeo.model.config import ScopeSettings
from haenyeo.model.pages import Url
from haenyeo.store import NewLink, Store

OURS, THEIRS = "ours.example", "theirs.example"


def link(site: str, page: int = 0, score: float = 0.5) -> NewLink:
    return NewLink(Url(f"https://{site}/{page}"), site, score, anchor=f"to {page}")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.create(tmp_path)


def outbox(store: Store) -> Outbox:
    return Outbox(store, lambda site: site == OURS)


def queue(store: Store, **scope: int) -> CrawlQueue:
    settings = ScopeSettings(**scope)  # type: ignore[arg-type]
    made = CrawlQueue(store, Scope(settings), BreadthFirst(), Traps(), per_site=1, outbox=outbox(store))
    made.rebuild()
    return made


def test_an_offer_is_divided_with_what_its_links_are_worth_to_topics(store: Store) -> None:
    offer = Offer([1, 2, 3], [link(OURS), link(THEIRS), link(OURS, 1)], [(0.1,), (0.2,), (0.3,)])
    rest, (state,) = outbox(store).divided(offer, 4, Url("https://ours.example/page"))
    assert rest == Offer([1, 2, 3], [link(OURS), link(OURS, 1)], [(0.1,), (0.3,)])
    store.put_state(state.part, state.key, state.value)
    [(key, sent)] = outbox(store).first(10)
    assert (key, sent.depth, list(sent.worths)) == (state.key, 4, [(0.2,)])
    assert sent.links[0].url == link(THEIRS).url
    assert sent.links[0].source == "https://ours.example/page"


def test_an_offer_of_our_own_links_is_left_as_it_is(store: Store) -> None:
    offer = Offer([1], [link(OURS)])
    assert outbox(store).divided(offer, 1, None) == (offer, ())


def test_rows_keep_their_order_over_restarts_and_are_forgotten_by_key(store: Store) -> None:
    for page in range(3):
        outbox(store).sent_off(Offer([page], [link(THEIRS, page)]), 1)
    first, second, third = outbox(store).first(10)
    assert [row.links[0].anchor for _, row in (first, second, third)] == ["to 0", "to 1", "to 2"]
    outbox(store).forget([first[0], third[0]])
    assert [key for key, _ in outbox(store).first(10)] == [second[0]]
    assert len(outbox(store)) == 1


def test_links_that_come_twice_wait_once(store: Store) -> None:
    sent = LinksSent(3, [link(OURS), link(OURS, 1)])
    waiting = queue(store)
    assert [new.url for _, new in waiting.receive(sent)] == [link(OURS).url, link(OURS, 1).url]
    assert waiting.receive(sent) == []
    assert len(waiting) == 2
    assert len(queue(store)) == 2


def test_a_link_that_came_knows_where_it_stood_and_how_deep_it_is(store: Store) -> None:
    given = NewLink(Url("https://ours.example/x"), OURS, 0.7, anchor="a", source="https://theirs.example/from")
    [(ref, _)] = queue(store).receive(LinksSent(3, [given]))
    [kept] = store.links([ref])
    assert (kept.source, kept.depth, kept.anchor) == ("https://theirs.example/from", 3, "a")


def test_links_out_of_scope_or_too_deep_are_not_taken_in(store: Store) -> None:
    assert queue(store, max_depth=2).receive(LinksSent(3, [link(OURS)])) == []


def test_an_address_that_stands_on_no_page_goes_to_the_outbox_if_it_is_not_ours(store: Store) -> None:
    waiting = queue(store)
    waiting.add([link(OURS).url, link(THEIRS).url], -1)
    assert len(waiting) == 1
    [(_, sent)] = outbox(store).first(10)
    assert (sent.depth, sent.links[0].url) == (0, link(THEIRS).url)
