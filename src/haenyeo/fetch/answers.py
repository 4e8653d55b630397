"""What does an answer amount to? From status, headers and body to the outcome of a visit.

| answer | outcome |
| --- | --- |
| 2xx with HTML, text, XML or a feed, or with no body at all | `PAGE` |
| 2xx with anything else, 204, 205, an unknown content coding | `USELESS` |
| 2xx with a body that is too large, cut short or badly packed | `FAILED`; one cut short is worth asking again |
| 304 to a conditional request | `UNCHANGED` |
| 404, 410 | `GONE` |
| 408, 425, 429, 5xx | `ERROR`, worth asking again; 429 and 503 may say when |
| any other status | `ERROR` |

A body is cut short if fewer bytes came than the answer promised. It is not kept: what is missing may be all that
matters, and a page half read would look changed at the next visit.
"""

from __future__ import annotations

import msgspec

from haenyeo.fetch.bodies import CUT_SHORT, UNKNOWN_CODING, unpack
from haenyeo.fetch.dates import http_time
from haenyeo.fetch.transport.connections import PROXY_SILENT
from haenyeo.fetch.transport.exchange import CONNECTION_REFUSED, CONNECTION_RESET, NOT_READ, Exchange
from haenyeo.fetch.transport.fields import Fields
from haenyeo.fetch.transport.names import NAME_SERVER_SILENT
from haenyeo.html.mime import ContentKind, essence, kind_of
from haenyeo.model.errors import AddressError, ForbiddenAddressError, PageError
from haenyeo.model.visits import Outcome, Validators

LONGEST_RETRY_AFTER = 86_400.0
LONGEST_VALIDATOR = 1024

_NOT_MODIFIED = 304
_GONE = frozenset({404, 410})
_NO_CONTENT = frozenset({204, 205})
_PAGE_STATUSES = frozenset({*range(200, 300)} - _NO_CONTENT - {206})
_PASSING = frozenset({408, 425, 429, *range(500, 600)})
_MAY_SAY_WHEN = frozenset({429, 503})
# A time limit is not among them: it has cost the site's turn already, and the page comes up again when it is next due.
_PASSING_TROUBLE = frozenset({CONNECTION_RESET, CONNECTION_REFUSED, NAME_SERVER_SILENT, PROXY_SILENT})
# Labels under which no page is ever found; the rest is read, since labels are often wrong.
_NEVER_PAGES = (
    *("image/", "audio/", "video/", "font/", "model/", "text/css", "text/javascript", "application/javascript"),
    *("application/octet-stream", "application/zip", "application/gzip", "application/x-gzip", "application/pdf"),
    *("application/x-tar", "application/x-7z", "application/x-rar", "application/java-archive", "application/msword"),
    *("application/vnd.ms-", "application/vnd.openxml", "application/vnd.android", "application/wasm"),
)


class AnswerVerdict(msgspec.Struct, frozen=True):
    """What the last exchange of a fetch amounts to; these fields go into the `Answer`."""

    outcome: Outcome
    reason: str = ""
    body: bytes = b""
    retryable: bool = False
    retry_after: float | None = None


def is_page_status(status: int) -> bool:
    """Whether the body is what was asked for, and not an explanation."""
    return status in _PAGE_STATUSES


def never_a_page(content_type: str) -> bool:
    """Whether a body with this Content-Type can never be a page, so that reading it can be skipped."""
    return essence(content_type).startswith(_NEVER_PAGES)


def content_type_of(fields: Fields) -> str:
    """The Content-Type; of several, the last that can be read, as browsers choose."""
    labels = fields.all("content-type")
    label = labels[0] if len(labels) == 1 else next((label for label in reversed(labels) if essence(label)), "")
    return label if label.isprintable() else ""


def validators_of(fields: Fields) -> Validators:
    """What a later conditional request may send back."""
    return Validators(etag=_storable(fields.get("etag")), last_modified=_storable(fields.get("last-modified")))


def _storable(value: str) -> str:
    return value if len(value) <= LONGEST_VALIDATOR and value.isprintable() else ""


def judge_page(exchange: Exchange, limit_bytes: int) -> AnswerVerdict:
    """The verdict on a body that was asked for as a page."""
    label, flaw = content_type_of(exchange.fields), exchange.flaw
    if flaw == NOT_READ:
        return AnswerVerdict(Outcome.USELESS, f"kind: {essence(label)}")
    if flaw:
        return AnswerVerdict(Outcome.FAILED, flaw, retryable=flaw == CUT_SHORT)
    body, flaw = _unpacked(exchange, limit_bytes)
    if flaw:
        return AnswerVerdict(Outcome.USELESS if flaw == UNKNOWN_CODING else Outcome.FAILED, flaw)
    if (body or never_a_page(label)) and kind_of(label, body) is ContentKind.OTHER:
        return AnswerVerdict(Outcome.USELESS, f"kind: {essence(label) or 'unknown'}", body)
    return AnswerVerdict(Outcome.PAGE, body=body)


def judge_file(exchange: Exchange, limit_bytes: int) -> AnswerVerdict:
    """The verdict on a file of any kind; its beginning is enough, and `reason` says what is missing."""
    body, flaw = _unpacked(exchange, limit_bytes)
    flaw = exchange.flaw or flaw
    return AnswerVerdict(Outcome.PAGE if body or not flaw else Outcome.FAILED, flaw, body, retryable=flaw == CUT_SHORT)


def judge_status(exchange: Exchange, now: float, *, conditional: bool) -> AnswerVerdict:
    """The verdict on an answer that brings no page."""
    status = exchange.hop.status
    if status == _NOT_MODIFIED and conditional:
        return AnswerVerdict(Outcome.UNCHANGED)
    reason = f"status {status}"
    if status in _GONE:
        return AnswerVerdict(Outcome.GONE, reason)
    if status in _NO_CONTENT:
        return AnswerVerdict(Outcome.USELESS, reason)
    wait = retry_after(exchange.fields.get("retry-after"), now) if status in _MAY_SAY_WHEN else None
    return AnswerVerdict(Outcome.ERROR, reason, retryable=status in _PASSING, retry_after=wait)


def judge_failure(error: PageError) -> AnswerVerdict:
    """The verdict when no answer came, or a redirect that cannot be followed."""
    if isinstance(error, ForbiddenAddressError | AddressError):
        return AnswerVerdict(Outcome.REFUSED, error.reason)
    return AnswerVerdict(Outcome.FAILED, error.reason, retryable=error.reason in _PASSING_TROUBLE)


def _unpacked(exchange: Exchange, limit_bytes: int) -> tuple[bytes, str]:
    coding = exchange.fields.get("content-encoding")
    return unpack(exchange.hop.body, coding, limit_bytes) if coding else (exchange.hop.body, "")


def retry_after(value: str, now: float) -> float | None:
    """The seconds a Retry-After header asks to wait, a day at most; None for nothing or nonsense.

    >>> retry_after("120", 0.0), retry_after("Thu, 01 Jan 1970 00:01:00 GMT", 50.0), retry_after("-5", 0.0)
    (120.0, 10.0, None)
    """
    value = value.strip()
    if value.isascii() and value.isdigit():
        return min(float(value[:9]), LONGEST_RETRY_AFTER)
    date = http_time(value)
    return None if date is None else min(max(0.0, date - now), LONGEST_RETRY_AFTER)
