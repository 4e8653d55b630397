"""Changes as an Atom feed (RFC 4287), for any program that reads feeds."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from xml.etree.ElementTree import Element, SubElement, tostring

from haenyeo.collect.adapters.watching.changes import Change, restored
from haenyeo.collect.adapters.watching.wording import details, headline
from haenyeo.store import Store, StoredEvent

MEDIA_TYPE = "application/atom+xml"
MOST = 200
"""Changes in a feed, the newest first."""


def latest_changes(
    store: Store, since: datetime | None = None, kinds: Sequence[str] = ()
) -> list[tuple[StoredEvent, Change]]:
    """The changes from a time on, of these kinds or of all, first to last."""
    wanted = (event for event in store.events(since=since) if not kinds or event.kind in kinds)
    return [(event, change) for event in wanted if (change := restored(event)) is not None]


def atom_feed(name: str, changes: Sequence[tuple[StoredEvent, Change]]) -> bytes:
    """The newest of the changes of the collection of this name as a feed."""
    latest = list(changes)[-MOST:][::-1]
    feed = Element("feed", {"xmlns": "http://www.w3.org/2005/Atom"})
    SubElement(feed, "title").text = _clean(f"Changes in {name}")
    SubElement(feed, "id").text = _clean(f"tag:haenyeo,2026:{name}")
    SubElement(feed, "updated").text = (latest[0][0].at if latest else datetime(1970, 1, 1, tzinfo=UTC)).isoformat()
    SubElement(SubElement(feed, "author"), "name").text = "haenyeo"
    for event, change in latest:
        entry = SubElement(feed, "entry")
        SubElement(entry, "title").text = _clean(headline(change))
        SubElement(entry, "id").text = _clean(f"tag:haenyeo,2026:{name}/{event.id}")
        SubElement(entry, "updated").text = event.at.isoformat()
        SubElement(entry, "link", {"href": _clean(change.url)})
        SubElement(entry, "category", {"term": event.kind})
        SubElement(entry, "content", {"type": "text"}).text = _clean("\n".join(details(change)))
    found: bytes = tostring(feed, encoding="utf-8", xml_declaration=True)
    return found


def _clean(text: str) -> str:
    """The text without what XML cannot hold."""
    return (
        "".join(letter for letter in text if letter in "\t\n" or (letter >= " " and not "\ud800" <= letter <= "\udfff"))
        .replace("\ufffe", "")
        .replace("\uffff", "")
    )
