from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from haenyeo import native

PURE = os.environ.get("HAENYEO_PURE", "") == "1"
SAY = "from haenyeo import native; print(native.state().missing, [native.load(name) for name in native.MODULES])"


def _said(**variables: str) -> str:
    environment = {**os.environ, **variables}
    return subprocess.run(
        [sys.executable, "-c", SAY], env=environment, capture_output=True, text=True, check=True
    ).stdout


def test_where_there_is_a_compiler_all_is_compiled() -> None:
    has_headers = Path(sysconfig.get_paths()["include"], "Python.h").exists()
    if PURE:
        assert native.state() == ((), dict.fromkeys(native.MODULES, native.PURE_BY_WISH))
    elif shutil.which("cc") and has_headers:
        assert native.state() == (native.MODULES, {})


def test_compiled_code_can_be_left_out() -> None:
    said = _said(HAENYEO_PURE="1")
    assert said.count(native.PURE_BY_WISH) == said.count("None") == len(native.MODULES)


def test_every_folder_of_sources_is_a_module() -> None:
    folders = {path.parent.name for path in Path(native.__file__).parent.glob("*/*.c")}
    assert folders == set(native.MODULES)


def test_an_unknown_module_is_refused() -> None:
    with pytest.raises(ValueError, match="there is no compiled module 'sonar'"):
        native.load("sonar")


def test_why_a_module_is_missing_is_remembered(tmp_path: Path) -> None:
    copy = tmp_path / "haenyeo"
    source = Path(native.__file__).parent
    copy.mkdir()
    shutil.copy(source.parent / "__init__.py", copy)
    shutil.copytree(source, copy / "native", ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    suffix = str(sysconfig.get_config_var("EXT_SUFFIX"))
    (copy / "native" / f"_seen{suffix}").write_bytes(b"no machine's code")
    said = _said(PYTHONPATH=str(tmp_path), HAENYEO_PURE="0")
    assert said.count("'not built'") == len(native.MODULES) - 1
    assert "file too short" in said or "invalid ELF header" in said or "not a mach-o" in said
