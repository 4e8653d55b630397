"""What has been collected, and how does it survive a crash?"""

from __future__ import annotations

TYPE_CHECKING = False  # as type checkers know it
if TYPE_CHECKING:
    from haenyeo.store.records import (
        Counts,
        FailureCounts,
        FoundCounts,
        Inlink,
        LinkBatch,
        ListedPage,
        NewEvent,
        NewLink,
        NewRow,
        PageRecord,
        PageVisit,
        PartState,
        Retraction,
        SavedPage,
        SiteCounts,
        SiteFailure,
        StateStamp,
        StoredEvent,
        StoredFingerprint,
        StoredJudgement,
        StoredLink,
        StoredPage,
        StoredRow,
        StoredVisit,
    )
    from haenyeo.store.sqlite import Store
    from haenyeo.store.warc import Session

__all__ = [
    "Counts",
    "FailureCounts",
    "FoundCounts",
    "Inlink",
    "LinkBatch",
    "ListedPage",
    "NewEvent",
    "NewLink",
    "NewRow",
    "PageRecord",
    "PageVisit",
    "PartState",
    "Retraction",
    "SavedPage",
    "Session",
    "SiteCounts",
    "SiteFailure",
    "StateStamp",
    "Store",
    "StoredEvent",
    "StoredFingerprint",
    "StoredJudgement",
    "StoredLink",
    "StoredPage",
    "StoredRow",
    "StoredVisit",
]

_HOMES = {"Session": "warc", "Store": "sqlite"}
"""Of what is no record."""


def __getattr__(name: str) -> object:
    """Import a name when it is first used: files of pages are read without a data base."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    found = globals()[name] = getattr(import_module(f"{__name__}.{_HOMES.get(name, 'records')}"), name)
    return found
