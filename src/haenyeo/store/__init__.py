"""What has been collected, and how does it survive a crash?"""

from haenyeo.store.encoding import url_hash
from haenyeo.store.records import (
    Counts,
    FailureCounts,
    Fingerprint,
    FoundCounts,
    Inlink,
    LinkBatch,
    NewEvent,
    NewLink,
    NewRow,
    PageRecord,
    PageVisit,
    PartState,
    SavedPage,
    SiteCounts,
    StoredEvent,
    StoredLink,
    StoredPage,
    StoredRow,
    StoredVisit,
)
from haenyeo.store.sqlite import Store

__all__ = [
    "Counts",
    "FailureCounts",
    "Fingerprint",
    "FoundCounts",
    "Inlink",
    "LinkBatch",
    "NewEvent",
    "NewLink",
    "NewRow",
    "PageRecord",
    "PageVisit",
    "PartState",
    "SavedPage",
    "SiteCounts",
    "Store",
    "StoredEvent",
    "StoredLink",
    "StoredPage",
    "StoredRow",
    "StoredVisit",
    "url_hash",
]
