"""The code keeps its shape: small files, small functions, names that say something."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path
from statistics import median, quantiles

import pytest

from haenyeo.cli.app import COMMANDS, MODULES

ROOT = Path(__file__).parent.parent
SOURCES = sorted((ROOT / "src").rglob("*.py"))
VAGUE = {"utils", "util", "helpers", "helper", "common", "misc", "manager", "base", "core", "tools", "stuff"}
LONGEST_FILE, LONGEST_FUNCTION, MOST_FILES_IN_A_FOLDER = 400, 50, 16
TYPICAL_FUNCTION, LONG_FUNCTION = 10, 30


def functions(path: Path) -> list[tuple[str, int]]:
    """Each function of a file with its number of lines, docstring apart."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[1:] if ast.get_docstring(node) and len(node.body) > 1 else node.body
            found.append((node.name, (node.end_lineno or 0) - body[0].lineno + 2))
    return found


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT / "src")))
def test_a_source_file_is_short_and_named_for_what_it_holds(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST_FILE
    assert path.stem not in VAGUE
    assert path.parent.name not in VAGUE
    assert [name for name, lines in functions(path) if lines > LONGEST_FUNCTION] == []


def test_functions_are_short_on_the_whole() -> None:
    lengths = [lines for path in SOURCES for _, lines in functions(path)]
    assert median(lengths) <= TYPICAL_FUNCTION
    assert quantiles(lengths, n=10)[-1] <= LONG_FUNCTION


def test_folders_stay_small() -> None:
    """Commands are not counted: each has its file, and they are as many as the user needs."""
    commands = {ROOT / "src" / "haenyeo" / "cli" / f"{MODULES.get(name, name)}.py" for name in COMMANDS}
    folders = Counter(path.parent for path in SOURCES if path not in commands)
    assert [folder for folder, files in folders.items() if files > MOST_FILES_IN_A_FOLDER] == []


def test_every_folder_opens_with_its_question() -> None:
    for path in SOURCES:
        if path.name == "__init__.py" and path.parent.name != "haenyeo":
            docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
            assert "?" in docstring, path


def test_broad_excepts_stand_in_two_places_only() -> None:
    broad = [
        str(path.relative_to(ROOT / "src" / "haenyeo"))
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ExceptHandler)
        and (node.type is None or (isinstance(node.type, ast.Name) and node.type.id in ("Exception", "BaseException")))
    ]
    assert set(broad) <= {"cli/app.py", "collect/visit/intake.py"}
    assert len(broad) <= 2


def test_a_class_name_means_one_thing() -> None:
    """Names that begin with an underscore are a file's own."""
    homes: dict[str, list[str]] = {}
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, []).append(str(path.relative_to(ROOT)))
    assert {name: places for name, places in homes.items() if len(places) > 1} == {}
