"""How does a database of an earlier version become one of today?

Every step is a file `NNNN_what_it_does.sql`, run once and in order, each in a transaction of its own; `PRAGMA
user_version` remembers the last one. A step that has been released is never edited: a change of mind is a further step.
"""

from __future__ import annotations

from importlib.resources import files


def steps() -> list[tuple[int, str]]:
    """The number and the SQL of every step, in order."""
    names = sorted(entry.name for entry in files(__name__).iterdir() if entry.name.endswith(".sql"))
    return [(int(name.partition("_")[0]), files(__name__).joinpath(name).read_text(encoding="utf-8")) for name in names]
