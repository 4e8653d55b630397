"""What time do the dates in HTTP headers mean?"""

from __future__ import annotations

_LONGEST = 64
"""About twice the longest form in use; more is nonsense and not worth parsing."""


def http_time(text: str) -> float | None:
    """Unix seconds of a date in any of the forms servers send, or None for nonsense.

    >>> http_time("Sun, 06 Nov 1994 08:49:37 GMT"), http_time("Sunday, 06-Nov-94 08:49:37 GMT"), http_time("soon")
    (784111777.0, 784111777.0, None)
    """
    from email.utils import mktime_tz, parsedate_tz  # a heavy one, and few servers send dates that matter

    if len(text) > _LONGEST:
        return None
    try:
        parts = parsedate_tz(text)
        return float(mktime_tz(parts)) if parts else None
    except (ValueError, OverflowError, IndexError, TypeError):
        return None
