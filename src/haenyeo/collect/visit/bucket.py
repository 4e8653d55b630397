"""How many requests may be made now? A bucket that fills evenly through the day."""

from __future__ import annotations

import msgspec

DAY = 86_400.0
HOLDS_DAYS = 0.25
"""What is not spent is kept for this long, so that there is no storm of requests after a pause."""


class Bucket(msgspec.Struct):
    """Fills with `per_day` requests a day; `filled_at` is when it was last looked into."""

    per_day: float
    requests: float = 0.0
    filled_at: float = 0.0

    def available(self, now: float) -> int:
        """How many whole requests are in it; a clock that was set back adds none."""
        passed = now - self.filled_at if self.filled_at else 0.0
        most = max(1.0, self.per_day * HOLDS_DAYS) if self.per_day > 0 else 0.0
        self.requests = min(most, self.requests + max(0.0, passed) * self.per_day / DAY)
        self.filled_at = now
        return int(self.requests)

    def fill_first(self) -> None:
        """Fill it, if it was never looked into."""
        if not self.filled_at:
            self.requests = self.per_day * HOLDS_DAYS

    def spend(self, count: int) -> None:
        """So many requests were made; it may go below nothing and fills up again."""
        self.requests -= count

    def made_unnoticed(self, count: int) -> None:
        """So many requests were made that nobody noted; what is not there cannot have been spent."""
        self.requests = max(min(self.requests, 0.0), self.requests - count)

    def seconds_to_one(self) -> float:
        """How long until there is a whole request in it."""
        if self.requests >= 1:
            return 0.0
        return (1 - self.requests) * DAY / self.per_day if self.per_day > 0 else float("inf")
