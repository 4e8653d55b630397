"""A folder that cannot be written, also for the superuser, whom rights do not bind."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

# PR_CAPBSET_DROP of CAP_DAC_OVERRIDE: what is started then may not write whatever the rights say.
BIND = "import ctypes, os, sys; ctypes.CDLL(None).prctl(24, 1, 0, 0, 0); os.execv(sys.argv[1], sys.argv[1:])"
BINDING = (sys.executable, "-c", BIND)


@contextmanager
def sealed(folder: Path) -> Iterator[Path]:
    """Inside, nothing in the folder may be written by those whom rights bind."""
    places = [folder, *folder.rglob("*")]
    rights = {place: place.stat().st_mode for place in places}
    for place in places:
        place.chmod(rights[place] & ~0o222)
    try:
        yield folder
    finally:
        for place, mode in rights.items():
            place.chmod(mode)


def bound_process(*arguments: str, cwd: Path) -> subprocess.Popen[str]:
    """Python with these arguments, as someone whom rights bind."""
    return subprocess.Popen(
        [*(BINDING if os.geteuid() == 0 else ()), sys.executable, *arguments],
        cwd=cwd,
        env={**os.environ, "NO_COLOR": "1", "XDG_CACHE_HOME": str(cwd / "cache"), "COLUMNS": "100"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def bound_run(*arguments: str, cwd: Path, code: int = 0) -> str:
    """What such a process says, both ways; it must end with this exit code."""
    process = bound_process(*arguments, cwd=cwd)
    said, complained = process.communicate(timeout=240)
    assert process.returncode == code, said + complained
    return said + complained
