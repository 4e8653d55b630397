"""The values that go into the store and come out of it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import msgspec
import numpy as np
import numpy.typing as npt

from haenyeo.model.pages import Document, Link, Url
from haenyeo.model.visits import Answer, Found, Outcome, Validators


class NewLink(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A link that was found for the first time, and the words that were judged.

    `source` is the page it stands on if another collection's crawl has found it.
    """

    url: Url
    site: str
    score: float
    anchor: str = ""
    before: str = ""
    after: str = ""
    path: str = ""
    source: str = ""


class NewEvent(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Something worth remembering: `kind` is a short stable word, `data` whatever its reader understands."""

    kind: str
    at: datetime
    url: str = ""
    data: bytes = b""


class PartState(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What a part wants to find again after a restart."""

    part: str
    key: str
    value: bytes


class StateStamp(msgspec.Struct, frozen=True, gc=False):
    """A remembered value by its length and its beginning; it differs when the value was written anew."""

    key: str
    length: int
    beginning: bytes


class NewRow(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A record that a rule took from a page; `key` is the same whenever the same record is seen."""

    rule: str
    key: str
    page: Url
    fields: dict[str, str]


class Retraction(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The records that a rule took for the first time since a moment, because it took them wrongly."""

    rule: str
    since: datetime


class PageRecord(msgspec.Struct, frozen=True, kw_only=True):
    """Everything one visit caused; it is stored whole or not at all.

    `url` is the address the page is kept under (the one that answered, if not given); the other addresses on the way
    there are remembered as leading to it. `at` is the time of a visit that led to no request; otherwise the last hop's
    time counts. `outcome` and `reason` replace the answer's where the content decides (a duplicate). `finished` is
    False when the address shall be asked again as if it never had been. `document` is the text to keep; `digest` tells
    whether content has changed, and is taken from the text if not given; `near` says that what differs in the text is
    no change worth the name. `targets` are the hashes of all links of the
    page (`url_hash`), `links` the new ones among them, numbered in this order. `retracted` records are forgotten before
    `rows` are taken.
    """

    answer: Answer
    site: str
    at: datetime
    url: Url | None = None
    depth: int = 0
    ref: int | None = None
    outcome: Outcome | None = None
    reason: str = ""
    finished: bool = True
    document: Document | None = None
    digest: bytes = b""
    near: bool = False
    simhash: int = 0
    relevance: dict[str, float] = {}
    kept: bool = False
    targets: Sequence[int] = ()
    links: Sequence[NewLink] = ()
    events: Sequence[NewEvent] = ()
    states: Sequence[PartState] = ()
    rows: Sequence[NewRow] = ()
    retracted: Sequence[Retraction] = ()


class SavedPage(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What the store made of a record.

    The new links have the refs `first_ref`, `first_ref` + 1, and so on. `changed` is None when there was no earlier
    content to compare with, or this visit brought none.
    """

    page: int
    visit: int
    first_ref: int
    changed: bool | None
    found: Found


class StoredLink(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A link as it was found; `source` is the page it stands on, None for a seed."""

    ref: int
    url: Url
    site: str
    score: float
    depth: int
    source: Url | None
    anchor: str
    before: str
    after: str
    path: str

    def as_link(self) -> Link:
        """The link as a scorer sees it."""
        return Link(
            url=self.url, source=self.source, anchor=self.anchor, before=self.before, after=self.after, path=self.path
        )


class LinkBatch(msgspec.Struct, frozen=True, kw_only=True):
    """Many links as columns, in the order they were found; `sites` are numbers of `Store.sites`."""

    refs: npt.NDArray[np.int64]
    hashes: npt.NDArray[np.uint64]
    sites: npt.NDArray[np.uint32]
    scores: npt.NDArray[np.float32]
    depths: npt.NDArray[np.int32]
    finished: npt.NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.refs)

    @classmethod
    def joined(cls, parts: Sequence[LinkBatch]) -> LinkBatch:
        """All links of one or more parts, in this order."""
        return cls(**{name: np.concatenate([getattr(part, name) for part in parts]) for name in cls.__struct_fields__})

    def waiting(self) -> LinkBatch:
        """Only the links whose address has not been dealt with."""
        left = ~self.finished
        return LinkBatch(
            refs=self.refs[left],
            hashes=self.hashes[left],
            sites=self.sites[left],
            scores=self.scores[left],
            depths=self.depths[left],
            finished=self.finished[left],
        )


class Inlink(msgspec.Struct, frozen=True, kw_only=True):
    """A page that links to an address; `link` has the words if this is where the address was found first."""

    source: Url | None
    link: StoredLink | None


class StoredPage(msgspec.Struct, frozen=True, kw_only=True):
    """An address that was visited: how the last visit went, and the last good content.

    `last_at` is the last visit, `fetched_at` the last one that brought or confirmed content, `changed_at` the last one
    that brought new content.
    """

    id: int
    url: Url
    site: str
    depth: int
    kept: bool
    outcome: Outcome
    reason: str
    status: int
    visits: int
    first_at: datetime
    last_at: datetime
    fetched_at: datetime | None
    changed_at: datetime | None
    content_type: str
    validators: Validators
    title: str
    language: str
    digest: bytes
    simhash: int
    relevance: dict[str, float]
    text: str
    kind: str = ""


class ListedPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page as a list shows it."""

    id: int
    url: Url
    title: str
    site: str
    language: str
    relevance: dict[str, float]
    changed_at: datetime | None
    kept: bool
    text: str
    kind: str = ""


class StoredVisit(msgspec.Struct, frozen=True, kw_only=True):
    """One visit; `archive` names the WARC file, `start` and `length` the place of the record in it.

    `body_visit` is the visit whose record has the payload when this one's only refers to it.
    """

    id: int
    url: Url
    at: datetime
    outcome: Outcome
    reason: str
    status: int
    changed: bool | None
    kept: bool
    size: int
    seconds: float
    ref: int | None
    digest: bytes
    archive: str
    start: int
    length: int
    body_visit: int | None
    found: Found


class PageVisit(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A visit as a revisit planner sees it; `listing` marks sitemaps and feeds, `kept` pages of the collection."""

    visit: int
    url: Url
    site: str
    at: float
    found: Found
    kept: bool
    listing: bool


class FoundCounts(msgspec.Struct, frozen=True, kw_only=True):
    """How many visits found what, and how many bytes they took."""

    found: Found
    visits: int
    bytes: int


class StoredEvent(msgspec.Struct, frozen=True, kw_only=True):
    """An event with its number; numbers only grow."""

    id: int
    at: datetime
    kind: str
    url: str
    data: bytes


class StoredRow(msgspec.Struct, frozen=True, kw_only=True):
    """A record as it was seen last; `changed_at` is when one of its values was last found changed."""

    rule: str
    key: str
    page: Url
    first_at: datetime
    last_at: datetime
    changed_at: datetime
    fields: dict[str, str]


class Counts(msgspec.Struct, frozen=True, kw_only=True):
    """The collection in numbers.

    `found` counts the links ever found, `visits` all visits, `asked` the addresses visited (without those that only
    redirect, or that never answered and wait to be asked again), `fetched` those that ever brought content, `kept`
    those that belong to the collection, `sites` the sites of those fetched, `outcomes` how the last visits of the
    asked ended.
    """

    found: int
    visits: int
    asked: int
    fetched: int
    kept: int
    moved: int
    sites: int
    outcomes: dict[str, int]
    archive_bytes: int
    database_bytes: int


class SiteCounts(msgspec.Struct, frozen=True, kw_only=True):
    """One site in numbers, as in `Counts`; `last_at` is the last visit."""

    site: str
    asked: int
    fetched: int
    kept: int
    last_at: datetime


class FailureCounts(msgspec.Struct, frozen=True, kw_only=True):
    """Why addresses brought no page: one reason, how many, and one of them."""

    outcome: Outcome
    reason: str
    pages: int
    example: Url


class SiteFailure(msgspec.Struct, frozen=True, kw_only=True):
    """Why addresses of one site brought no page: one reason, how many, and one of them."""

    outcome: Outcome
    reason: str
    status: int
    pages: int
    example: Url


class StoredJudgement(msgspec.Struct, frozen=True, gc=False):
    """What is thought of a page that may be kept: its relevance by topic, and whether it is kept."""

    page: int
    url: Url
    title: str
    relevance: dict[str, float]
    kept: bool


class StoredFingerprint(msgspec.Struct, frozen=True, gc=False):
    """What tells two kept pages of the same or nearly the same content."""

    page: int
    digest: bytes
    simhash: int
