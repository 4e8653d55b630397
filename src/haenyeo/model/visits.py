"""What came of asking for a page."""

from __future__ import annotations

import enum
from datetime import datetime

import msgspec

from haenyeo.model.pages import Url


class Outcome(enum.StrEnum):
    """How a visit ended; everything but `PAGE` and `UNCHANGED` carries a reason."""

    PAGE = "page"  # a page was read
    UNCHANGED = "unchanged"  # 304: the stored copy still holds
    GONE = "gone"  # 404 or 410
    ERROR = "error"  # any other status that is no page
    FAILED = "failed"  # no usable answer: network, time limit, size limit
    REFUSED = "refused"  # not asked, or not followed: robots.txt, scope, forbidden address, scheme
    USELESS = "useless"  # an answer that is no text to keep: image, archive, empty kind
    LISTING = "listing"  # a sitemap, feed or list of addresses, read for its links
    DUPLICATE = "duplicate"  # the same content as a page that is kept


class Found(enum.StrEnum):
    """What a visit found in comparison with the last content; only `CHANGED` counts as a change."""

    NEW = "new"  # nothing to compare with
    NOT_MODIFIED = "not modified"  # 304: the server says so
    SAME_BYTES = "same bytes"  # the same payload was sent again
    SAME_TEXT = "same text"  # other bytes, the same text
    NEAR_TEXT = "near text"  # the text differs in dates, counters and the like, or was read better this time
    CHANGED = "changed"
    GONE = "gone"
    NOTHING = "nothing"  # no answer that tells


class Validators(msgspec.Struct, frozen=True, kw_only=True):
    """What a conditional request sends back to the server; empty strings send nothing."""

    etag: str = ""
    last_modified: str = ""


class Hop(msgspec.Struct, frozen=True, kw_only=True):
    """One request and its response as they went over the wire, for the archive.

    `body` is the payload as received, transfer coding undone and content coding kept; `cut` says that it is not all of
    it. `headers` are in order and as received, each character standing for one byte (latin-1). `request_headers` are
    those sent, with secrets hidden.
    """

    url: Url
    status: int
    reason: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    cut: bool = False
    request_headers: tuple[tuple[str, str], ...] = ()
    address: str = ""
    at: datetime
    seconds: float = 0.0

    def header(self, name: str) -> str:
        """The first header of this (lower-case) name, or nothing."""
        for key, value in self.headers:
            if len(key) == len(name) and key.lower() == name:
                return value
        return ""


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What a fetch brought: the last hop's content, decoded, and all hops that led to it.

    `url` is the address asked for, `final_url` the one that answered. `retry_after` is what the server asked for, in
    seconds. `retryable` says that asking again later may help. For `PAGE` and `USELESS` the `body` has its content
    coding undone. Of a `rendered` page the body is what a browser made of it, in UTF-8, with `parts` further requests.
    """

    url: Url
    final_url: Url
    outcome: Outcome
    reason: str = ""
    status: int = 0
    content_type: str = ""
    body: bytes = b""
    validators: Validators = Validators()
    retry_after: float | None = None
    retryable: bool = False
    hops: tuple[Hop, ...] = ()
    seconds: float = 0.0
    rendered: bool = False
    parts: int = 0
