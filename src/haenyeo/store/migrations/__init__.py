"""How does a database of an earlier version become one of today?

Every step is a file `NNNN_what_it_does.sql`, run once and in order, each in a transaction of its own; `PRAGMA
user_version` remembers the last one. A step that has been released is never edited: a change of mind is a further step.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path


@cache
def steps() -> tuple[tuple[int, str], ...]:
    """The number and the SQL of every step, in order."""
    paths = sorted(Path(__file__).parent.glob("*.sql"))
    return tuple((int(path.name.partition("_")[0]), path.read_text(encoding="utf-8")) for path in paths)
