"""How often is a link tried again whose server pushed back, or whose connection broke?"""

from __future__ import annotations

MOST_TRIES = 4  # of one link


class Retries:
    """Counts the tries of links that brought no answer that tells."""

    def __init__(self) -> None:
        self._tries: dict[int, int] = {}

    def another(self, ref: int) -> int | None:
        """The number of the try that has failed; None if it was the last, so that the link is not tried again."""
        tries = self._tries.pop(ref, 0) + 1
        if tries >= MOST_TRIES:
            return None
        self._tries[ref] = tries
        return tries

    def forget(self, ref: int) -> None:
        """The link was answered: its tries are over."""
        if self._tries:
            self._tries.pop(ref, None)
