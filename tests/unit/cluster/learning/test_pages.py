"""Shards send the first pages of a collection, and the user's examples, to all others."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import pytest

from haenyeo.cluster.learning.pages import EXAMPLES, FIRST_PAGES, MOST_COPIES, PagesTold
from haenyeo.cluster.messages import unpacked
from haenyeo.collect.adapters.finding.finder import HeardPage
from haenyeo.collect.events import PageVisited
from haenyeo.model.pages import Document, Url
from haenyeo.model.visits import Answer, Found, Hop, Outcome
from haenyeo.store import PageRecord, Store

GONE = Url("https://a.example/gone")


class Posted:
    """Ties that keep what is sent; those who take nothing refuse all."""

    def __init__(self) -> None:
        self.sent: list[tuple[int, str, bytes]] = []
        self.takes = True

    async def send(self, shard: int, name: str, batch: bytes) -> bool:
        self.sent.append((shard, name, batch))
        return self.takes


class Hearing:
    """A finder with one example."""

    def __init__(self) -> None:
        self.heard: list[HeardPage] = []

    def is_example(self, url: Url) -> bool:
        return url == "https://a.example/liked"

    def hear_page(self, heard: HeardPage) -> None:
        self.heard.append(heard)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.create(tmp_path / "shard")


def visited(url: Url = GONE, outcome: Outcome = Outcome.GONE) -> PageVisited:
    found = Found.GONE if outcome is Outcome.GONE else Found.NEW
    return PageVisited(url=url, site="a.example", outcome=outcome, depth=3, found=found)


def told(store: Store, others: list[int], *, learning: bool = True) -> tuple[PagesTold, Posted]:
    ties = Posted()
    return PagesTold(store, ties, others, learning=learning), ties  # type: ignore[arg-type]


def test_a_page_is_sent_to_all_others_once(store: Store) -> None:
    pages, ties = told(store, [1, 2])
    pages.note(visited())
    asyncio.run(pages.send())
    asyncio.run(pages.send())
    assert [shard for shard, _, _ in ties.sent] == [1, 2]
    assert unpacked(ties.sent[0][2]).pages == [HeardPage(GONE, depth=3)]


def test_batches_of_pages_are_taken_in_before_links(store: Store) -> None:
    pages, ties = told(store, [1])
    pages.note(visited())
    asyncio.run(pages.send())
    assert ties.sent[0][1] < "links"


def test_pages_are_sent_no_more_once_there_are_many(store: Store) -> None:
    pages, ties = told(store, [1])
    pages.hear_total(FIRST_PAGES)
    pages.hear_total(0)
    assert not pages.are_first
    pages.note(visited())
    asyncio.run(pages.send())
    assert not ties.sent


def test_with_many_shards_or_nothing_to_learn_fewer_pages_are_sent(store: Store) -> None:
    pages, _ = told(store, list(range(1, 1001)))
    pages.hear_total(MOST_COPIES // 1000)
    assert not pages.are_first
    assert not told(store, [1], learning=False)[0].are_first


def test_examples_of_others_are_kept_and_other_pages_are_not(store: Store) -> None:
    pages, _ = told(store, [1])
    finder = Hearing()
    both = [HeardPage(Url("https://a.example/liked"), "text/html", b"<p>one"), HeardPage(GONE)]
    for page in both:
        pages.receive(finder, page)  # type: ignore[arg-type]
    assert finder.heard == both
    assert [key for key, _ in store.states(EXAMPLES)] == ["https://a.example/liked"]


def test_examples_are_told_as_they_were_read(store: Store) -> None:
    liked, now = Url("https://a.example/liked"), datetime.now(UTC)
    body = b"<title>raw</title><p>menu</p><p>reef</p>"
    hop = Hop(url=liked, status=200, headers=(("Content-Type", "text/html"),), body=body, at=now)
    answer = Answer(url=liked, final_url=liked, outcome=Outcome.PAGE, status=200, body=body, hops=(hop,))
    document = Document(url=liked, title="read", text="reef")
    store.save(PageRecord(answer=answer, site="a.example", at=now, document=document))
    pages, ties = told(store, [1])
    pages.note(PageVisited(url=liked, site="a.example", outcome=Outcome.PAGE, depth=0, example=True))
    asyncio.run(pages.send())
    [heard] = unpacked(ties.sent[0][2]).pages
    assert (heard.title, heard.text, heard.body) == ("read", "reef", body)
