from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from haenyeo import __version__
from haenyeo.cli.compiled import slowness, version_line
from haenyeo.native import MODULES, NOT_BUILT, PURE_BY_WISH, State

WHOLE = State(MODULES, {})
WISHED = State((), dict.fromkeys(MODULES, PURE_BY_WISH))
PARTLY = State(MODULES[2:], {MODULES[0]: NOT_BUILT, MODULES[1]: "wrong ELF class"})


@pytest.mark.parametrize(
    ("known", "said"),
    [
        (WHOLE, "compiled"),
        (WISHED, "not compiled: HAENYEO_PURE is set"),
        (PARTLY, f"2 of 8 modules missing: {MODULES[0]}, {MODULES[1]}: wrong ELF class"),
    ],
)
def test_the_version_tells_what_is_compiled(known: State, said: str) -> None:
    assert version_line(known) == f"haenyeo {__version__} ({said})"


def test_what_is_missing_is_told_with_what_to_do() -> None:
    assert slowness(WHOLE) == ""
    assert slowness(WISHED).endswith("HAENYEO_PURE is set; this takes up to four times the CPU: unset it")
    assert "C compiler" in slowness(PARTLY)


@pytest.mark.parametrize(("options", "told"), [([], 1), (["--quiet"], 0), (["--json"], 0)])
def test_long_work_without_compiled_code_says_so_once(tmp_path: Path, options: list[str], told: int) -> None:
    page = tmp_path / "page.html"
    page.write_text("<title>Reefs</title><p>Corals build reefs.")
    call = [sys.executable, "-m", "haenyeo", "extract", str(page), *options]
    run = subprocess.run(
        call, env={**os.environ, "HAENYEO_PURE": "1"}, capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert run.stderr.count("not compiled") == told
    assert "Corals build reefs." in run.stdout
