"""Time zones by name."""

from __future__ import annotations

from datetime import UTC, tzinfo

from haenyeo.model.errors import UsageError


def zone_named(name: str) -> tzinfo:
    """The time zone of this name, such as Asia/Seoul; raises `UsageError` if there is none."""
    if name == "UTC":  # is there even where the system has no list of time zones
        return UTC
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise UsageError(f"there is no time zone {name!r}", advice="name it as Asia/Seoul or UTC") from error
