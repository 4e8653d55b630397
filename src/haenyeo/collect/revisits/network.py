"""Is the network there? When nothing answers any more it is our side that is cut off, and no page is to blame."""

from __future__ import annotations

from haenyeo.model.visits import Answer, Outcome

FAILURES = 3  # in a row, of requests that got no answer at all
FIRST_WAIT, LONGEST_WAIT = 2.0, 60.0  # seconds


class Network:
    """Listens to how requests end; times are those of the real clock."""

    def __init__(self) -> None:
        self._failures = 0
        self._retry_at = 0.0

    @property
    def lost(self) -> bool:
        """Whether nothing has answered of late."""
        return self._failures >= FAILURES

    def note(self, answer: Answer, now: float) -> None:
        """A request has ended."""
        if answer.status:
            self._failures, self._retry_at = 0, 0.0
        elif answer.outcome is Outcome.FAILED and now >= self._retry_at:  # else it was under way when the wait began
            self._failures += 1
            if self.lost:
                wait = min(FIRST_WAIT * 2 ** (self._failures - FAILURES), LONGEST_WAIT)
                self._retry_at = now + wait

    def wait(self, now: float) -> float:
        """How many seconds to wait before one more request shows whether it is back."""
        return min(max(0.0, self._retry_at - now), LONGEST_WAIT)
