"""What does the collection hold, page by page, in numbers, and back to the original bytes?

Long readings go through the tables in small steps of their own instead of one long query, so that they need little
memory and never keep a crawl from tidying its write-ahead log.
"""

from __future__ import annotations

from haenyeo.store.reading.links import LinkReading
from haenyeo.store.reading.numbers import NumberReading
from haenyeo.store.reading.pages import PageReading
from haenyeo.store.reading.remembered import RememberedReading

__all__ = ["CollectionReading"]


class CollectionReading(PageReading, LinkReading, RememberedReading, NumberReading):
    """All questions about a collection; asking changes nothing."""
