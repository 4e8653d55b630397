from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from haenyeo.store import NewEvent, Store
from haenyeo.store.search import SearchQuery
from haenyeo.web.desk import Desk


def test_the_pulse_changes_when_something_has_happened(desk: Desk, folder: Path) -> None:
    desk.look()
    before = desk.pulse
    assert (before.visits, before.waiting, before.events) == (5, 4, 0)
    with Store.open(folder, writing=True) as store:
        store.add_event(NewEvent(kind="content", at=datetime.now(UTC)))
    desk.look()
    assert (desk.pulse.visits, desk.pulse.events) == (5, 1)


def test_pages_judged_anew_are_read_again(desk: Desk, folder: Path) -> None:
    with Store.open(folder, writing=True) as store:
        store.rejudge("https://a.example/0", {"divers": 0.1}, kept=False)
    assert desk.columns.pages["kept"].tolist() == [True, True, True, False]
    desk.judged()
    desk.look()
    assert desk.columns.pages["kept"].tolist() == [False, True, True, False]


def test_links_are_counted_again_only_when_something_was_visited(desk: Desk) -> None:
    counted = desk.failures
    desk.count()
    assert desk.failures is counted


def test_texts_are_found_once_they_are_in_the_index(desk: Desk) -> None:
    desk.index()
    assert desk.index_behind == 0
    assert [hit.page for hit in desk.search(SearchQuery(words="abalone")).hits] == [1]


def test_a_collection_has_the_name_of_its_folder(desk: Desk) -> None:
    assert desk.name == "divers"
