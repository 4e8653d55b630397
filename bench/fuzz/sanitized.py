"""A copy of the package whose compiled modules watch themselves: AddressSanitizer and UndefinedBehaviorSanitizer.

python -m bench.fuzz.sanitized -m pytest tests/unit/native        runs Python with that copy
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from haenyeo.native import MODULES

ROOT = Path(__file__).parent.parent.parent
PLACE = ROOT / "build" / "sanitized"
COMPILER = os.environ.get("CC", "cc")
FLAGS = (
    *("-shared", "-fPIC", "-O1", "-g", "-fno-omit-frame-pointer", "-Wall", "-Wextra", "-Werror"),
    *("-fsanitize=address,undefined", "-fno-sanitize-recover=all"),
)
# What Python itself keeps until it ends is no leak of ours; what no machine has room for is refused, as elsewhere.
OPTIONS = "detect_leaks=0:allocator_may_return_null=1:max_allocation_size_mb=2048:handle_segv=1"


def build(place: Path = PLACE) -> Path:
    """The folder to be put first on the path; made anew."""
    shutil.rmtree(place, ignore_errors=True)
    unwanted = shutil.ignore_patterns("*.so", "*.pyd", "__pycache__")
    shutil.copytree(ROOT / "src" / "haenyeo", place / "haenyeo", ignore=unwanted)
    native = place / "haenyeo" / "native"
    include, suffix = sysconfig.get_paths()["include"], sysconfig.get_config_var("EXT_SUFFIX")
    for name in MODULES:
        source, made = native / name / f"{name}.c", native / f"_{name}{suffix}"
        subprocess.run([COMPILER, *FLAGS, f"-I{include}", str(source), "-o", str(made)], check=True)
    return place


def environment(place: Path) -> dict[str, str]:
    """The variables under which a Python process uses that folder."""
    libraries = [_library("libasan.so"), _library("libstdc++.so.6")]
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(place), str(ROOT)]),
        "LD_PRELOAD": " ".join(libraries),
        "ASAN_OPTIONS": OPTIONS,
        "UBSAN_OPTIONS": "print_stacktrace=1",
        "PYTHONMALLOC": "malloc",
        "HAENYEO_PURE": "",
    }


def _library(name: str) -> str:
    found = subprocess.run([COMPILER, f"-print-file-name={name}"], capture_output=True, text=True, check=True)
    return found.stdout.strip()


if __name__ == "__main__":
    place = build(ROOT / "build" / "sanitized-tests")
    sys.exit(subprocess.run([sys.executable, *sys.argv[1:]], env=environment(place), check=False).returncode)
