"""How much memory do the processes of a browser take? Told by /proc; where there is none, nobody knows."""

from __future__ import annotations

import os
from pathlib import Path

_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


def memory_of(mark: str) -> int:
    """The bytes that the process with this mark on its command line, and all it has started, have for themselves."""
    parents: dict[int, int] = {}
    roots: set[int] = set()
    for place in Path("/proc").glob("[0-9]*"):
        try:
            stat = (place / "stat").read_text(encoding="latin-1")
            parents[int(place.name)] = int(stat.rpartition(")")[2].split()[1])
            if mark.encode() in (place / "cmdline").read_bytes():
                roots.add(int(place.name))
        except OSError:
            continue
    return sum(_private(process) for process in _below(roots, parents))


def _below(roots: set[int], parents: dict[int, int]) -> set[int]:
    found, grown = roots, True
    while grown:
        more = {process for process, parent in parents.items() if parent in found} - found
        found, grown = found | more, bool(more)
    return found


def _private(process: int) -> int:
    try:
        _, resident, shared, *_ = Path(f"/proc/{process}/statm").read_text(encoding="latin-1").split()
    except (OSError, ValueError):
        return 0
    return max(0, int(resident) - int(shared)) * _PAGE
