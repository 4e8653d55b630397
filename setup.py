"""The compiled modules: one for each folder of `haenyeo/native` with a C file of its name.

Without a compiler the package works all the same: Python does what these do, in more time.
"""

from __future__ import annotations

from pathlib import Path

from setuptools import Extension, setup

NATIVE = Path("src/haenyeo/native")
SHARED = sorted(map(str, (NATIVE / "checked").glob("*.h")))


def module(folder: Path) -> Extension:
    """The module whose sources are in this folder."""
    headers = sorted(map(str, folder.glob("*.h")))
    source = str(folder / f"{folder.name}.c")
    return Extension(f"haenyeo.native._{folder.name}", [source], depends=[*headers, *SHARED], optional=True)


setup(ext_modules=[module(source.parent) for source in sorted(NATIVE.glob("*/*.c"))])
