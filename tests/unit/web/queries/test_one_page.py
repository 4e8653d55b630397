from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from haenyeo.model.errors import NotThereError, StoreError
from haenyeo.web.desk import Desk
from haenyeo.web.queries import one_page


def test_a_page_that_is_not_there_is_said_so(desk: Desk) -> None:
    with desk.reading() as store:
        assert one_page.page_numbered(store, 2).title == "제주해녀"
        assert one_page.page_at(store, "https://a.example/1").id == 2
        with pytest.raises(NotThereError, match="number"):
            one_page.page_numbered(store, 99)
        with pytest.raises(NotThereError, match="address"):
            one_page.page_at(store, "https://a.example/99")


def test_nothing_was_said_of_a_page_at_first(desk: Desk) -> None:
    with desk.reading() as store:
        assert one_page.said_of(store, "https://a.example/0") == {}


def test_an_original_is_that_of_the_visit_asked_for(desk: Desk) -> None:
    with desk.reading() as store:
        page = one_page.page_numbered(store, 1)
        assert "without tanks" in one_page.original_html(store, page, "1")
        assert "They sing." in one_page.original_html(store, page, "5")
        assert "They sing." in one_page.original_html(store, page)


def test_a_page_whose_archive_is_gone_says_so(desk: Desk, folder: Path) -> None:
    for file in (folder / "archive").iterdir():
        file.unlink()
    with desk.reading() as store:
        page = one_page.page_numbered(store, 1)
        with pytest.raises(StoreError, match="archive has no page"):
            one_page.original_html(store, page)
        blocks, trouble = one_page.blocks_of(store, page)
        assert blocks == ()
        assert "archive has no page" in trouble
        assert one_page.versions_of(store, page).lines == []


def test_blocks_tell_what_was_kept_and_why_others_were_not(desk: Desk) -> None:
    with desk.reading() as store:
        blocks, trouble = one_page.blocks_of(store, one_page.page_numbered(store, 1))
    assert trouble == ""
    kept = {block.text: block.kept for block in blocks}
    assert kept["They sing."]
    assert all(block.reason for block in blocks if not block.kept)


def test_the_link_that_led_to_a_page_is_the_first_that_was_followed(desk: Desk) -> None:
    with desk.reading() as store:
        first, second = store.visits("https://a.example/0")
        visits = [msgspec.structs.replace(first, ref=None), msgspec.structs.replace(second, ref=1)]
        followed = one_page.link_followed(store, visits)
        assert followed is not None
        assert (followed.url, followed.source) == ("https://a.example/0", None)
        assert one_page.link_followed(store, [msgspec.structs.replace(first, ref=999)]) is None
        assert one_page.link_followed(store, ()) is None


def test_the_last_two_versions_are_compared_unless_others_are_named(desk: Desk) -> None:
    with desk.reading() as store:
        page = one_page.page_numbered(store, 1)
        last = one_page.versions_of(store, page)
        assert last.older is not None
        assert last.newer is not None
        assert (last.older.id, last.newer.id) == (1, 5)
        assert [line.text for line in last.lines if line.kind == "added"] == [
            "The haenyeo dive for abalone.",
            "They sing.",
        ]
        same = one_page.versions_of(store, page, older="1", newer="1")
        assert {line.kind for line in same.lines} <= {"same", "gap"}
        assert one_page.versions_of(store, one_page.page_numbered(store, 2)).lines == ()
