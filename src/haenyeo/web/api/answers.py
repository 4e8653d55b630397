"""The values that the interface takes and gives; their fields and limits are its description."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

Count = Annotated[int, Meta(ge=0)]
Limit = Annotated[int, Meta(ge=1, le=100, description="How many at most.")]
Offset = Annotated[int, Meta(ge=0, le=10_000, description="How many to leave out first.")]
Words = Annotated[str, Meta(max_length=200)]


class ApiAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Something that is given."""


class Question(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something that is asked."""


class Problem(ApiAnswer, frozen=True, kw_only=True):
    """What is wrong, in a sentence."""

    detail: str


class Span(Question, frozen=True, kw_only=True):
    """Which part of a list."""

    limit: Limit = 20
    offset: Offset = 0


class LinkSpan(Question, frozen=True, kw_only=True):
    """Which links: those in the frontier of one topic or of all together, and which part of the list."""

    topic: Words = ""
    limit: Limit = 20
    offset: Offset = 0


class PageSpan(Question, frozen=True, kw_only=True):
    """Which pages: words to search for, filters, order, and which part of the list."""

    q: Words = ""
    site: Words = ""
    language: Annotated[str, Meta(max_length=20)] = ""
    kind: Literal["", "article", "documentation", "thread", "product", "list", "landing"] = ""
    topic: Words = ""
    since: date | msgspec.UnsetType = msgspec.UNSET
    sort: Literal["newest", "best"] = "newest"
    kept: Literal["yes", "all"] = "yes"
    limit: Limit = 20
    offset: Offset = 0


class EventSpan(Question, frozen=True, kw_only=True):
    """Which events: those after a number."""

    after: Annotated[int, Meta(ge=0, le=2**53)] = 0
    limit: Limit = 20


class HarvestPoint(ApiAnswer, frozen=True, kw_only=True):
    """How many pages were kept when so many had been fetched."""

    fetched: Count
    kept: Count


class ReasonItem(ApiAnswer, frozen=True, kw_only=True):
    """Why pages were not read, and what can be done about it."""

    reason: str
    pages: Count
    example: str
    advice: str


class CollectionOverview(ApiAnswer, frozen=True, kw_only=True):
    """The collection at a glance; `waiting` is None until the links have been counted."""

    collection: str
    topics: dict[str, str]
    asked: Count
    fetched: Count
    kept: Count
    errors: Count
    sites: Count
    waiting: Count | None
    harvest: list[HarvestPoint]
    breadth_first: list[HarvestPoint]
    by_minute: list[int]
    reasons: list[ReasonItem]
    crawl: str


class PageItem(ApiAnswer, frozen=True, kw_only=True):
    """A page in a list."""

    id: int
    url: str
    title: str
    site: str
    language: str
    kind: str
    relevance: dict[str, float]
    changed_at: datetime | None
    kept: bool
    snippet: str


class PageList(ApiAnswer, frozen=True, kw_only=True):
    """A part of a list of pages; `total` is the least there are when `more` is set."""

    pages: list[PageItem]
    total: Count
    more: bool


class VisitItem(ApiAnswer, frozen=True, kw_only=True):
    """A visit to a page."""

    id: int
    at: datetime
    outcome: str
    reason: str
    status: int
    changed: bool | None
    seconds: float
    bytes: int


class PageDetail(ApiAnswer, frozen=True, kw_only=True):
    """All about a page; `said` is the user's own verdict by topic."""

    id: int
    url: str
    title: str
    text: str
    site: str
    language: str
    kind: str
    kept: bool
    outcome: str
    reason: str
    status: int
    depth: int
    first_at: datetime
    last_at: datetime
    changed_at: datetime | None
    content_type: str
    relevance: dict[str, float]
    said: dict[str, bool]
    visits: list[VisitItem]


class LinkItem(ApiAnswer, frozen=True, kw_only=True):
    """A link that waits, with the words around it."""

    url: str
    site: str
    score: float
    depth: int
    source: str | None
    anchor: str
    before: str
    after: str


class LinkList(ApiAnswer, frozen=True, kw_only=True):
    """The best of the links that wait."""

    links: list[LinkItem]
    total: Count


class SiteItem(ApiAnswer, frozen=True, kw_only=True):
    """A site in numbers."""

    site: str
    asked: Count
    fetched: Count
    kept: Count
    errors: Count
    waiting: Count
    last_at: datetime | None


class SiteList(ApiAnswer, frozen=True, kw_only=True):
    """A part of the sites, those with most kept pages first."""

    sites: list[SiteItem]
    total: Count


class RuleItem(ApiAnswer, frozen=True, kw_only=True):
    """A rule that takes records."""

    name: str
    url: str
    version: int
    confidence: float
    state: str
    records: Count


class RuleList(ApiAnswer, frozen=True, kw_only=True):
    """All rules."""

    rules: list[RuleItem]


class RecordList(ApiAnswer, frozen=True, kw_only=True):
    """A part of the records of a rule."""

    records: list[dict[str, str]]
    total: Count


class EventItem(ApiAnswer, frozen=True, kw_only=True):
    """Something that happened."""

    id: int
    at: datetime
    kind: str
    grade: str
    title: str
    url: str
    facts: dict[str, Any]


class EventList(ApiAnswer, frozen=True, kw_only=True):
    """Events, the oldest first; the number of the last one is the next `after`."""

    events: list[EventItem]


class BudgetPoint(ApiAnswer, frozen=True, kw_only=True):
    """The share of copies that this many requests a day would keep up to date."""

    per_day: float
    fresh: float


class Freshness(ApiAnswer, frozen=True, kw_only=True):
    """Changes seen by weekday (Monday first) and hour (UTC), and how long ago kept pages were looked at.

    `by_budget` and `due` (the pages that are visited next) are empty until the planner was asked: seconds after the
    first request.
    """

    per_day: int
    goal: str
    revisits: Count
    changes: Count
    week: list[list[int]]
    ages: dict[str, int]
    by_budget: list[BudgetPoint] = []
    due: list[str] = []


class VerdictWish(Question, frozen=True, kw_only=True):
    """Is a page about a topic?"""

    topic: Words
    verdict: Literal["yes", "no"]


class CrawlWish(Question, frozen=True, kw_only=True):
    """What the crawl shall do; `pages` and `minutes` are limits for `start`."""

    action: Literal["start", "pause", "resume", "stop"]
    pages: Annotated[int, Meta(ge=1, le=10**9)] | None = None
    minutes: Annotated[int, Meta(ge=1, le=10**6)] | None = None


class CrawlState(ApiAnswer, frozen=True, kw_only=True):
    """What the crawl is doing."""

    state: str
    message: str
    process: int | None


class SteeringWish(Question, frozen=True, kw_only=True):
    """A host or a part of addresses, and what to do with it."""

    pattern: Annotated[str, Meta(min_length=1, max_length=200)]
    action: Literal["block", "boost", "forget"]


class SteeringState(ApiAnswer, frozen=True, kw_only=True):
    """What is blocked and what is boosted."""

    block: list[str]
    boost: list[str]
