from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from haenyeo.collect.links import queue as links_queue
from haenyeo.collect.links.jobs import Job
from haenyeo.collect.links.queue import CrawlQueue
from haenyeo.collect.links.scope import Scope
from haenyeo.find.bfs import BreadthFirst
from haenyeo.find.link_queue import Keys, LinkQueue
from haenyeo.find.seen import SeenSet
from haenyeo.find.traps import Traps
from haenyeo.model.config import ScopeSettings
from haenyeo.model.pages import Link, Url
from haenyeo.model.visits import Answer, Outcome
from haenyeo.store import NewLink, PageRecord, Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.create(tmp_path) as made:
        yield made


def queue_over(store: Store, **scope: object) -> CrawlQueue:
    settings = ScopeSettings(**scope)  # type: ignore[arg-type]
    queue = CrawlQueue(store, Scope(settings), BreadthFirst(), Traps(), per_site=1)
    queue.rebuild()
    return queue


def offer(queue: CrawlQueue, store: Store, *urls: str, depth: int = -1) -> list[str]:
    addresses = [Url(url) for url in urls]
    new = queue.offer(addresses, depth, lambda places: [Link(url=addresses[place]) for place in places]).new
    if new:
        queue.enqueue(store.add_seeds(new), new)
    return [link.url for link in new]


def take(queue: CrawlQueue, now: float = 0.0) -> str | None:
    job = queue.take(now)
    if job is None:
        return None
    queue.release(job, now)
    return job.url


def finish(store: Store, job: Job) -> None:
    answer = Answer(url=job.url, final_url=job.url, outcome=Outcome.GONE, reason="status 404", status=404)
    store.save(PageRecord(answer=answer, site=job.site, at=datetime.now(UTC), ref=job.ref))
    store.flush()


def test_a_link_is_offered_once_however_often_it_is_found(store: Store) -> None:
    queue = queue_over(store)
    assert offer(queue, store, "http://a.example/1", "http://a.example/1") == ["http://a.example/1"]
    assert offer(queue, store, "http://a.example/1", "http://a.example/2") == ["http://a.example/2"]


def test_links_come_out_breadth_first(store: Store) -> None:
    queue = queue_over(store)
    offer(queue, store, "http://a.example/deep", depth=4)
    offer(queue, store, "http://a.example/1", "http://a.example/2")
    assert [take(queue) for _ in range(4)] == [
        "http://a.example/1",
        "http://a.example/2",
        "http://a.example/deep",
        None,
    ]


def test_what_lies_outside_the_scope_is_not_queued(store: Store) -> None:
    queue = queue_over(store, hosts=("a.example",))
    assert offer(queue, store, "http://b.example/", "http://a.example/") == ["http://a.example/"]


def test_links_beyond_the_depth_are_not_queued(store: Store) -> None:
    queue = queue_over(store, max_depth=1)
    assert offer(queue, store, "http://a.example/near", depth=0) == ["http://a.example/near"]
    assert offer(queue, store, "http://a.example/far", depth=1) == []


def test_a_site_is_asked_one_at_a_time_and_after_its_pause(store: Store) -> None:
    queue = queue_over(store)
    offer(queue, store, "http://a.example/1", "http://a.example/2")
    job = queue.take(0.0)
    assert job is not None
    assert queue.take(0.0) is None
    queue.release(job, 5.0)
    assert queue.take(4.9) is None
    assert queue.next_ready(4.9) == 5.0
    assert queue.take(5.0) is not None


def test_a_hanging_job_lends_its_turn_once(store: Store) -> None:
    queue = queue_over(store)
    offer(queue, store, "http://a.example/1", "http://a.example/2", "http://a.example/3")
    hanging = queue.take(0.0)
    assert hanging is not None
    queue.lend(hanging, 1.0)
    second = queue.take(1.0)
    assert second is not None
    queue.release(hanging, 1.0)
    assert queue.take(1.0) is None, "the slot was lent, so the end of the hanging job frees none"
    queue.release(second, 2.0)
    assert queue.take(2.0) is not None


def test_a_job_that_was_put_back_comes_again(store: Store) -> None:
    queue = queue_over(store)
    offer(queue, store, "http://a.example/1")
    job = queue.take(0.0)
    assert job is not None
    queue.put_back(job, 3.0)
    assert take(queue, 3.0) == "http://a.example/1"


def test_a_job_that_another_has_dealt_with_does_not_wait_again(store: Store) -> None:
    queue = queue_over(store)
    offer(queue, store, "http://a.example/1", "http://b.example/2")
    first, second = queue.take(0.0), queue.take(0.0)
    assert first is not None
    assert second is not None
    queue.mark_visited(first, {second.url})
    queue.put_back(second, 0.0)
    assert len(queue) == 0


def test_what_a_redirect_has_dealt_with_does_not_count_as_waiting(store: Store) -> None:
    queue = queue_over(store)
    offer(queue, store, "http://a.example/1", "http://b.example/2", "http://c.example/3")
    first = queue.take(0.0)
    assert first is not None
    rest = {"http://a.example/1", "http://b.example/2", "http://c.example/3"} - {first.url}
    queue.mark_visited(first, {Url(rest.pop()), Url("http://d.example/never-offered")})
    queue.release(first, 0.0)
    assert len(queue) == 1
    assert take(queue) == rest.pop()
    assert len(queue) == 0


def test_a_restart_knows_what_waits_and_what_is_done(store: Store) -> None:
    queue = queue_over(store)
    offer(queue, store, "http://a.example/1", "http://a.example/2", "http://b.example/")
    job = queue.take(0.0)
    assert job is not None
    finish(store, job)

    again = queue_over(store)
    assert len(again) == 2
    assert again.is_visited(job.url)
    assert offer(again, store, "http://a.example/1", "http://a.example/2", "http://b.example/") == []
    assert {take(again), take(again)} == {"http://a.example/1", "http://a.example/2", "http://b.example/"} - {job.url}


def test_an_address_reached_by_a_redirect_is_not_asked_again(store: Store) -> None:
    queue = queue_over(store)
    offer(queue, store, "http://a.example/old", "http://a.example/new")
    job = queue.take(0.0)
    assert job is not None
    queue.mark_visited(job, {Url("http://a.example/old"), Url("http://a.example/new")})
    queue.release(job, 0.0)
    assert take(queue) is None


def test_what_was_held_back_first_can_go_before_the_rest(store: Store) -> None:
    queue = queue_over(store)
    queue.hold_back()
    offer(queue, store, "http://a.example/seed")
    offer(queue, store, "http://b.example/link")
    assert take(queue) is None
    queue.let_go_first()
    assert take(queue) == "http://a.example/seed"
    assert take(queue) is None
    assert queue.let_go()
    assert take(queue) == "http://b.example/link"
    queue.let_go_first()
    assert take(queue) is None


def test_after_a_restart_links_are_put_in_order_a_few_times_only(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each site is pushed once for many links, not once for each thousand rows of the store."""
    for number in range(3000):
        store.add_seeds(
            [NewLink(Url(f"http://s{site}.example/{number}"), f"s{site}.example", 0.5) for site in range(2)]
        )
    pushed: list[int] = []
    push = LinkQueue.add_many

    def counted(queue: LinkQueue, keys: Keys) -> None:
        pushed.append(len(keys))
        push(queue, keys)

    monkeypatch.setattr(LinkQueue, "add_many", counted)
    queue = queue_over(store)
    assert pushed == [3000, 3000]
    assert len(queue) == 6000


def test_the_seen_set_has_room_for_all_links_from_the_start(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    make = SeenSet.__init__

    def noted(seen: SeenSet, expected: int = 0) -> None:
        made.append(expected)
        make(seen, expected)

    monkeypatch.setattr(SeenSet, "__init__", noted)
    store.add_seeds([NewLink(Url(f"http://a.example/{number}"), "a.example", 0.5) for number in range(100)])
    queue_over(store)
    assert max(made) >= 100


def test_links_come_in_the_same_order_in_however_many_parts_they_are_pushed(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(2000):
        links = [(f"s{number * place % 7}.example", (number * 31 + place) % 100 / 100) for place in range(3)]
        store.add_seeds([NewLink(Url(f"http://{site}/{number}-{score}"), site, score) for site, score in links])
    at_once = [take(queue) for queue in [queue_over(store)] for _ in range(200)]
    monkeypatch.setattr(links_queue, "PUSHED_TOGETHER", 100)
    monkeypatch.setattr(links_queue, "PARTS_PUSHED", 100)
    assert [take(queue) for queue in [queue_over(store)] for _ in range(200)] == at_once


def test_discounts_are_remembered_of_so_many_links_only(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(links_queue, "REMEMBERED", 50)
    queue = queue_over(store)
    for number in range(30):
        queue.traps.observe(f"https://a.example/calendar/{number}", f"No events on day {number}".encode(), [], 2)
    store_links = [f"https://a.example/calendar/{number}" for number in range(100, 300)]
    assert len(offer(queue, store, *store_links)) == 200
    while take(queue):
        assert len(queue._discounts) <= 50


def test_a_new_order_holds_for_any_number_of_links_at_four_bytes_each(store: Store) -> None:
    queue = queue_over(store)
    urls = [f"http://a.example/{number}" for number in range(3000)]
    offer(queue, store, *urls, depth=0)
    places = [(ref, "a.example") for ref in range(1, 3001)]
    queue.rescore(places, [0.25 + number / 6000 for number in range(3000)])
    queue.rescore(places[:1], [0.9])
    assert [take(queue) for _ in range(3)] == [urls[0], urls[2999], urls[2998]]
    (known,) = queue._worths._known
    assert len(known) * known.itemsize == 3001 * 4
