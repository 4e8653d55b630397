"""Moments as sitemaps and feeds write them."""

from __future__ import annotations

import functools
import re
from datetime import UTC, datetime, timedelta, timezone

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_ISO = re.compile(
    r"(?P<year>\d{4})(?:-(?P<month>\d{1,2})(?:-(?P<day>\d{1,2}))?)?"
    r"(?:[Tt ]+(?P<hour>\d{1,2}):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:[.,]\d{1,12})?)? *(?P<zone>\S+)?)?"
)
_MAIL = re.compile(
    r"(?:[A-Za-z]{3,9}, *)?(?P<day>\d{1,2})[ -](?P<month>[A-Za-z]{3})[a-z]*[ -](?P<year>\d{4})"
    r"(?: +(?P<hour>\d{1,2}):(?P<minute>\d\d)(?::(?P<second>\d\d))? *(?P<zone>\S+)?)?"
)
_OFFSET = re.compile(r"([+-])(\d\d):?(\d\d)")
_ZONES = {"EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7, "KST": 9, "JST": 9}


@functools.lru_cache(maxsize=4096)
def moment(written: str) -> datetime | None:
    """The moment, in UTC, that a date in ISO 8601 or in the form of mail means; None if it is neither.

    What is left out is the first: a year means its first day. A date without a zone is read as UTC.

    >>> moment("Thu, 05 Jan 2017 13:34:51 +0100").isoformat(), moment("2024-05").isoformat(), moment("soon")
    ('2017-01-05T12:34:51+00:00', '2024-05-01T00:00:00+00:00', None)
    """
    found = _ISO.fullmatch(written) or _MAIL.fullmatch(written)
    if found is None:
        return None
    month = (found["month"] or "1").lower()
    try:
        return datetime(
            int(found["year"]),
            int(month) if month.isdigit() else _MONTHS.index(month) + 1,
            int(found["day"] or 1),
            int(found["hour"] or 0),
            int(found["minute"] or 0),
            int(found["second"] or 0),
            tzinfo=_zone(found["zone"] or ""),
        ).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _zone(name: str) -> timezone:
    offset = _OFFSET.fullmatch(name)
    if offset is None:
        return timezone(timedelta(hours=_ZONES.get(name.upper(), 0)))
    distance = timedelta(hours=int(offset[2]), minutes=int(offset[3]))
    return timezone(-distance if offset[1] == "-" else distance)
