"""Links to a server that rests wait; all others of its site are given out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from haenyeo.collect.links.queue import MOST_ASIDE, CrawlQueue
from haenyeo.collect.links.scope import Scope
from haenyeo.find.bfs import BreadthFirst
from haenyeo.find.traps import Traps
from haenyeo.model.config import ScopeSettings
from haenyeo.model.pages import Url
from haenyeo.store import Store

WWW, OLD, SITE = "http://www.reef.example", "http://old.reef.example", "reef.example"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.create(tmp_path) as made:
        yield made


def queue_over(store: Store, *urls: str) -> CrawlQueue:
    queue = CrawlQueue(store, Scope(ScopeSettings()), BreadthFirst(), Traps(), per_site=1)
    queue.rebuild()
    queue.add([Url(url) for url in urls], -1)
    return queue


def taken(queue: CrawlQueue, now: float) -> list[str]:
    """All that is given out now."""
    urls: list[str] = []
    while job := queue.take(now):
        urls.append(job.url)
        queue.release(job, now)
    return urls


def test_a_site_of_one_server_rests_with_it(store: Store) -> None:
    queue = queue_over(store, f"{WWW}/1", f"{WWW}/2", "http://other.example/")
    queue.rest(SITE, WWW, 10.0)
    assert taken(queue, 5.0) == ["http://other.example/"]
    assert queue.next_ready(5.0) == 10.0
    assert len(queue) == 2
    assert taken(queue, 10.0) == [f"{WWW}/1", f"{WWW}/2"]


@pytest.mark.parametrize("restarted", [False, True])
def test_a_site_of_two_servers_goes_on_with_the_other(store: Store, restarted: bool) -> None:
    queue = queue_over(store, f"{OLD}/1", f"{WWW}/1", f"{OLD}/2", f"{WWW}/2")
    if restarted:
        queue = queue_over(store)
    queue.rest(SITE, OLD, 10.0)
    assert taken(queue, 5.0) == [f"{WWW}/1", f"{WWW}/2"]
    assert len(queue) == 2
    assert queue.next_ready(5.0) == 10.0
    assert sorted(taken(queue, 10.0)) == [f"{OLD}/1", f"{OLD}/2"]
    assert len(queue) == 0


def test_a_second_server_found_later_ends_the_rest_of_the_site(store: Store) -> None:
    queue = queue_over(store, f"{OLD}/1")
    queue.rest(SITE, OLD, 10.0)
    assert taken(queue, 5.0) == []
    queue.add([Url(f"{WWW}/1")], -1)
    assert taken(queue, 5.0) == [f"{WWW}/1"]


def test_a_rest_that_is_made_longer_holds_to_its_end(store: Store) -> None:
    queue = queue_over(store, f"{OLD}/1", f"{WWW}/1")
    queue.rest(SITE, OLD, 10.0)
    queue.rest(SITE, OLD, 20.0)
    assert taken(queue, 10.0) == [f"{WWW}/1"]
    assert taken(queue, 20.0) == [f"{OLD}/1"]


def test_very_many_links_are_put_aside_a_part_at_a_time(store: Store) -> None:
    many = [f"{OLD}/{number}" for number in range(2 * MOST_ASIDE)]
    queue = queue_over(store, *many, f"{WWW}/1")
    queue.rest(SITE, OLD, 10.0)
    assert queue.take(5.0) is None
    assert queue.next_ready(5.0) == 5.0, "more can be looked at right away"
    assert queue.take(5.0) is None
    assert taken(queue, 5.0) == [f"{WWW}/1"]
    assert len(queue) == len(many)


def test_one_link_may_wait_for_a_time_of_its_own(store: Store) -> None:
    queue = queue_over(store, f"{WWW}/1", f"{WWW}/2")
    job = queue.take(0.0)
    assert job is not None
    queue.put_back(job, 1.0, not_before=100.0)
    assert len(queue) == 2
    assert taken(queue, 5.0) == [f"{WWW}/2"]
    assert queue.next_ready(5.0) == 100.0
    assert taken(queue, 100.0) == [f"{WWW}/1"]
