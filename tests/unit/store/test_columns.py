from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from haenyeo.html.urls import url_hash
from haenyeo.store import PageRecord, Store
from haenyeo.store.columns import OUTCOMES, CollectionColumns, WaitingLinks

Make = Callable[..., PageRecord]


@pytest.fixture
def reader(store: Store, folder: Path, make_record: Make) -> Store:
    for number in range(3):
        store.save(make_record(number))
    store.flush()
    return Store.open(folder, writing=False)


def test_columns_follow_the_collection(store: Store, reader: Store, make_record: Make, make_failure: Make) -> None:
    columns = CollectionColumns(reader)
    assert columns.update() == 3
    assert columns.pages["kept"].tolist() == [True] * 3
    assert columns.pages["relevance"].tolist() == [0.75] * 3
    assert columns.languages == ["ko"]
    store.save(make_record(7))
    store.save(make_failure("https://a.example/0"))
    store.flush()
    assert columns.update() == 2
    assert [OUTCOMES[number] for number in columns.pages["outcome"]] == ["failed", "page", "page", "page"]
    assert columns.visits["page"].tolist() == [1, 2, 3, 4, 1]
    assert columns.update() == 0
    reader.close()


def test_many_pages_make_room_for_themselves(store: Store, make_record: Make) -> None:
    columns = CollectionColumns(store)
    for number in range(1100):
        store.save(make_record(number))
    columns.update()
    assert columns.pages["id"].tolist() == list(range(1, 1101))


def test_a_page_judged_anew_is_read_again(store: Store, reader: Store) -> None:
    columns = CollectionColumns(reader)
    columns.update()
    store.rejudge("https://a.example/1", {"divers": 0.1}, kept=False)
    store.flush()
    columns.reload([2])
    assert columns.pages["kept"].tolist() == [True, False, True]
    reader.close()


def test_waiting_links_come_and_go(store: Store, reader: Store, make_record: Make) -> None:
    waiting = WaitingLinks(reader)
    waiting.update()
    assert len(waiting) == 6
    assert reader.links([waiting.best(1)[0][0]])[0].url == "https://b.example/0/0"
    store.save(make_record(9, url="https://b.example/0/0"))
    store.flush()
    waiting.update()
    urls = [link.url for link in reader.links([ref for ref, _ in waiting.best(100)])]
    assert "https://b.example/0/0" not in urls
    assert "https://b.example/9/1" in urls
    assert len(urls) == 7
    reader.close()


def test_waiting_links_may_be_worth_something_else_now(reader: Store) -> None:
    waiting = WaitingLinks(reader)
    waiting.update()
    waiting.rescore(np.array([url_hash("https://b.example/1/1") & (2**63 - 1)], np.uint64), np.array([0.9], np.float32))
    [(ref, score)] = waiting.best(1)
    assert reader.links([ref])[0].url == "https://b.example/1/1"
    assert score == pytest.approx(0.9)
    reader.close()
