"""What can be asked of the index, and what it answers."""

from __future__ import annotations

from datetime import datetime

import msgspec

from haenyeo.model.pages import Url
from haenyeo.store.search.snippets import Snippet


class SearchQuery(msgspec.Struct, frozen=True, kw_only=True):
    """Words and filters; empty filters let everything pass. `since` and `until` are about a page's last new content."""

    words: str
    site: str = ""
    language: str = ""
    topic: str = ""
    kind: str = ""
    since: datetime | None = None
    until: datetime | None = None
    kept_only: bool = True
    offset: int = 0
    limit: int = 20


class Hit(msgspec.Struct, frozen=True, kw_only=True):
    """A page that was found; a higher `score` is a better match."""

    page: int
    url: Url
    title: str
    site: str
    language: str
    kind: str
    relevance: dict[str, float]
    changed_at: datetime | None
    kept: bool
    score: float
    snippet: Snippet


class Hits(msgspec.Struct, frozen=True, kw_only=True):
    """A page of the answer; `total` counts all hits, or is the least there are when `more` is set.

    `unindexed` counts the pages that are not in the index yet, or only with an earlier text.
    """

    hits: tuple[Hit, ...]
    total: int
    more: bool
    milliseconds: float
    unindexed: int = 0
