"""Crawl and revisits live on one budget."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.collect.service.shares import KEY, PART, Shares
from haenyeo.collect.visit.bucket import DAY, HOLDS_DAYS, Bucket
from haenyeo.store import Store

NOW = 1_700_000_000.0
HOUR = 3600.0


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.create(tmp_path / "c") as opened:
        yield opened


@pytest.fixture(scope="module")
def any_store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with Store.create(tmp_path_factory.mktemp("shares") / "c") as opened:
        yield opened


def shares(store: Store, now: float = NOW) -> Shares:
    made = Shares(store, 2400, Bucket(2400), now)
    made.balance(now, links=True, pages=True)
    return made


def test_each_gets_half_while_both_have_something_to_ask_for(store: Store) -> None:
    both = shares(store)
    both.crawl.spend(int(both.crawl.requests))
    both.balance(NOW + HOUR, links=True, pages=True)
    assert both.crawl.available(NOW + HOUR) == both.revisits.available(NOW + HOUR) == 50


@pytest.mark.parametrize("links", [True, False])
def test_one_gets_all_while_the_other_has_nothing_to_ask_for(store: Store, *, links: bool) -> None:
    both = shares(store)
    both.crawl.spend(int(both.crawl.requests))
    both.balance(NOW, links=links, pages=not links)
    both.balance(NOW + HOUR, links=links, pages=not links)
    amounts = both.crawl.available(NOW + HOUR), both.revisits.available(NOW + HOUR)
    assert amounts == ((100, 0) if links else (0, 100))


def test_a_first_crawl_can_begin_at_once(store: Store) -> None:
    assert shares(store).crawl.available(NOW) == 2400 / 2 * HOLDS_DAYS


def test_what_is_left_survives_a_kill(store: Store) -> None:
    both = shares(store)
    both.crawl.spend(290)
    both.save()
    again = shares(store, NOW + HOUR)
    assert again.crawl.available(NOW + HOUR) == 60
    assert again.revisits.available(NOW + HOUR) == 50


def test_damaged_memory_is_made_anew(store: Store) -> None:
    store.put_state(PART, KEY, b"\xc1")
    assert shares(store).crawl.available(NOW) == 300


@given(wishes=st.lists(st.tuples(st.booleans(), st.booleans(), st.floats(0, DAY)), max_size=20))
def test_both_together_never_get_more_than_the_budget(any_store: Store, wishes: list[tuple[bool, bool, float]]) -> None:
    both, now, spent = Shares(any_store, 2400, Bucket(2400), NOW), NOW, 0
    first = both.crawl.requests
    for links, pages, seconds in wishes:
        both.balance(now, links=links, pages=pages)
        now += seconds
        for bucket, wants in ((both.crawl, links), (both.revisits, pages)):
            count = bucket.available(now) if wants else 0
            bucket.spend(count)
            spent += count
    assert spent <= first + (now - NOW) * 2400 / DAY + 1
