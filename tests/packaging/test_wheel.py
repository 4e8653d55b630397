"""What is installed is what was written: compiled modules and data files, from a wheel as from a source archive."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

from haenyeo import __version__
from haenyeo.native import MODULES

ROOT = Path(__file__).parent.parent.parent
PARTS = ("src", "pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "LICENSE", "NOTICE")
CODE = {".py", ".c", ".h", ".so", ".pyd", ".pyc"}
ASK = "import haenyeo, haenyeo.native as native; print(len(native.state().compiled), haenyeo.__file__)"


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source tree as it is published: without what was built in it."""
    folder = tmp_path_factory.mktemp("source")
    for name in PARTS:
        path = ROOT / name
        if path.is_dir():
            unwanted = shutil.ignore_patterns("*.so", "*.pyd", "__pycache__", "*.egg-info")
            shutil.copytree(path, folder / name, ignore=unwanted)
        else:
            shutil.copy(path, folder)
    return folder


def _run(*command: object, cwd: Path) -> str:
    ended = subprocess.run(list(map(str, command)), cwd=cwd, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr[-2000:]
    return ended.stdout


def _wheel(what: Path, into: Path) -> Path:
    _run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", into, what, cwd=into)
    (wheel,) = into.glob("haenyeo-*.whl")
    return wheel


@pytest.fixture(scope="module")
def wheel(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _wheel(source, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def archive(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source archive, made by the build backend in an environment of its own."""
    folder = tmp_path_factory.mktemp("archive")
    _run(sys.executable, "-m", "venv", folder / "venv", cwd=folder)
    python = folder / "venv" / "bin" / "python"
    needed = tomllib.loads((source / "pyproject.toml").read_text())["build-system"]["requires"]
    _run(python, "-m", "pip", "install", "--quiet", *needed, cwd=folder)
    _run(python, "-c", f"from setuptools import build_meta; build_meta.build_sdist({str(folder)!r})", cwd=source)
    (made,) = folder.glob("haenyeo-*.tar.gz")
    return made


def _installed(what: Path, folder: Path) -> tuple[str, str]:
    """What an environment outside of the source tree says of what was installed there, and what its command says."""
    _run(sys.executable, "-m", "venv", folder / "venv", cwd=folder)
    python = folder / "venv" / "bin" / "python"
    _run(python, "-m", "pip", "install", "--quiet", "--no-deps", what, cwd=folder)
    _run(python, "-m", "pip", "install", "--quiet", "click", cwd=folder)
    return _run(python, "-I", "-c", ASK, cwd=folder), _run(folder / "venv" / "bin" / "haenyeo", "--version", cwd=folder)


def _data_files(names: list[str]) -> set[str]:
    return {name for name in names if Path(name).suffix not in CODE}


def _data_files_of_the_source() -> set[str]:
    package = ROOT / "src"
    files = (path for path in (package / "haenyeo").rglob("*") if path.is_file())
    return _data_files([path.relative_to(package).as_posix() for path in files])


@pytest.mark.slow
def test_the_wheel_holds_all_compiled_modules_and_data_and_no_sources_in_c(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as file:
        names = [name for name in file.namelist() if name.startswith("haenyeo/")]
    compiled = {Path(name).name.partition(".")[0] for name in names if name.endswith((".so", ".pyd"))}
    assert compiled == {f"_{name}" for name in MODULES}
    assert _data_files(names) == _data_files_of_the_source()
    assert [name for name in names if name.endswith((".c", ".h"))] == []


@pytest.mark.slow
def test_the_source_archive_holds_all_sources(source: Path, archive: Path) -> None:
    with tarfile.open(archive) as file:
        held = {name.partition("/")[2] for name in file.getnames()}
    written = {path.relative_to(source).as_posix() for path in (source / "src" / "haenyeo").rglob("*.[ch]")}
    written |= {f"src/{name}" for name in _data_files_of_the_source()}
    assert written <= held


@pytest.mark.slow
@pytest.mark.parametrize("way", ["folder", "wheel", "archive"])
def test_installed_elsewhere_all_is_compiled(way: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    what = request.getfixturevalue("source" if way == "folder" else way)
    told, version = _installed(what, tmp_path)
    count, place = told.split()
    assert int(count) == len(MODULES)
    assert Path(place).is_relative_to(tmp_path)
    assert version == f"haenyeo {__version__} (compiled)\n"


def test_every_compiled_module_has_a_folder_of_its_name() -> None:
    sources = (ROOT / "src" / "haenyeo" / "native").glob("*/*.c")
    assert sorted((path.parent.name, path.stem) for path in sources) == [(name, name) for name in sorted(MODULES)]
