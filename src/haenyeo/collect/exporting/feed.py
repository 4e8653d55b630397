"""Changes as an Atom feed (RFC 4287) or an RSS 2.0 channel, for any program that reads feeds."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from email.utils import format_datetime
from xml.etree.ElementTree import Element, SubElement, tostring

from haenyeo.collect.adapters.watching.changes import Change, restored
from haenyeo.collect.adapters.watching.wording import details, headline
from haenyeo.store import Store, StoredEvent

MEDIA_TYPE = "application/atom+xml"
RSS_MEDIA_TYPE = "application/rss+xml"
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


def rss_feed(name: str, changes: Sequence[tuple[StoredEvent, Change]]) -> bytes:
    """The same as `atom_feed` for programs that read RSS alone."""
    latest = list(changes)[-MOST:][::-1]
    feed = Element("rss", {"version": "2.0"})
    channel = SubElement(feed, "channel")
    SubElement(channel, "title").text = _clean(f"Changes in {name}")
    SubElement(channel, "link").text = _clean(latest[0][1].url) if latest else "about:blank"
    SubElement(channel, "description").text = _clean(f"What has changed in the collection {name}")
    for event, change in latest:
        item = SubElement(channel, "item")
        SubElement(item, "title").text = _clean(headline(change))
        SubElement(item, "link").text = _clean(change.url)
        SubElement(item, "guid", {"isPermaLink": "false"}).text = _clean(f"tag:haenyeo,2026:{name}/{event.id}")
        SubElement(item, "pubDate").text = format_datetime(event.at.astimezone(UTC), usegmt=True)
        SubElement(item, "category").text = event.kind
        SubElement(item, "description").text = _clean("\n".join(details(change)))
    found: bytes = tostring(feed, encoding="utf-8", xml_declaration=True)
    return found


def _clean(text: str) -> str:
    """The text without what XML cannot hold."""
    return (
        "".join(letter for letter in text if letter in "\t\n" or (letter >= " " and not "\ud800" <= letter <= "\udfff"))
        .replace("\ufffe", "")
        .replace("\uffff", "")
    )
