from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree as ET

from haenyeo.collect.adapters.watching.changes import ContentChanged, TitleChanged, stored
from haenyeo.collect.exporting.feed import atom_feed, latest_changes, rss_feed
from haenyeo.model.pages import Url
from haenyeo.store import Store

PAGE = Url("https://a.example/?a=1&b=2")
ATOM = {"a": "http://www.w3.org/2005/Atom"}


def test_changes_are_entries_the_newest_first(tmp_path: Path) -> None:
    content = ContentChanged(url=PAGE, site="a.example", share=0.1, lines=1, added=("Reefs & \x01<tides>",))
    title = TitleChanged(url=PAGE, site="a.example", before="Reefs", after="Reefs and tides")
    with Store.create(tmp_path / "reefs") as store:
        store.add_event(stored(content, datetime(2025, 3, 1, tzinfo=UTC)))
        store.add_event(stored(title, datetime(2025, 3, 2, tzinfo=UTC)))
        feed = ET.fromstring(atom_feed("reefs", latest_changes(store)))
        assert len(latest_changes(store, kinds=("title",))) == 1
    entries = feed.findall("a:entry", ATOM)
    assert [entry.find("a:category", ATOM).get("term") for entry in entries] == ["title", "content"]  # type: ignore[union-attr]
    assert entries[0].findtext("a:content", namespaces=ATOM) == "~ Reefs{+ and tides+}"
    assert entries[1].findtext("a:content", namespaces=ATOM) == "+ Reefs & <tides>"
    assert feed.findtext("a:updated", namespaces=ATOM) == "2025-03-02T00:00:00+00:00"
    assert len({entry.findtext("a:id", namespaces=ATOM) for entry in entries}) == 2


def test_a_feed_without_changes_is_a_feed() -> None:
    assert ET.fromstring(atom_feed("reefs", [])).find("a:entry", ATOM) is None


def test_the_same_changes_come_as_rss(tmp_path: Path) -> None:
    title = TitleChanged(url=PAGE, site="a.example", before="Reefs", after="Reefs & tides")
    with Store.create(tmp_path / "reefs") as store:
        store.add_event(stored(title, datetime(2025, 3, 2, tzinfo=UTC)))
        channel = ET.fromstring(rss_feed("reefs", latest_changes(store))).find("channel")
    assert channel is not None
    [item] = channel.findall("item")
    assert item.findtext("pubDate") == "Sun, 02 Mar 2025 00:00:00 GMT"
    assert item.findtext("link") == PAGE
    assert item.findtext("category") == "title"
    assert item.findtext("description") == "~ Reefs{+ & tides+}"
    assert ET.fromstring(rss_feed("reefs", [])).find("channel/item") is None
