"""Everything that has a name for users stands in the docs: commands, settings, events, sockets, parts, rooms."""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Protocol

import msgspec
import pytest

import haenyeo
from haenyeo import collect
from haenyeo.cli.app import COMMANDS
from haenyeo.collect.events import Event
from haenyeo.model import parts
from haenyeo.model.config import Settings
from haenyeo.model.registry import PartKind, find_part, options_of

ROOT = Path(__file__).parent.parent
REFERENCE = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
SETTINGS = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
GROUPS = sorted(group for group in entry_points().groups if group.startswith("haenyeo."))


def code_in(text: str) -> set[str]:
    """All that stands between backticks within a line."""
    return set(re.findall(r"`([^`\s][^`\n]*)`", text))


def events() -> set[str]:
    """The names of all events that any part of `collect` tells."""
    for module in pkgutil.walk_packages(collect.__path__, "haenyeo.collect."):
        import_module(module.name)

    def below(kind: type[Event]) -> Iterator[str]:
        for each in kind.__subclasses__():
            yield each.__name__
            yield from below(each)

    return set(below(Event))


def keys(kind: Any, table: str = "") -> Iterator[tuple[str, str]]:
    """Each setting as table and key."""
    for field in msgspec.structs.fields(kind):
        if isinstance(field.type, type) and issubclass(field.type, msgspec.Struct):
            yield from keys(field.type, field.name)
        elif table:
            yield table, field.name


def test_every_command_stands_in_the_reference_and_no_other() -> None:
    named = {word.removeprefix("haenyeo ") for word in code_in(REFERENCE) if re.fullmatch(r"haenyeo \w+", word)}
    assert named == set(COMMANDS)


def test_every_public_name_stands_in_the_reference_and_no_other() -> None:
    named = set(re.findall(r"^::: haenyeo\.(\w+)$", REFERENCE, re.MULTILINE))
    assert named == set(haenyeo.__all__)


def test_every_event_stands_in_the_reference() -> None:
    assert len(events()) > 10
    assert events() - code_in(REFERENCE) == set()


def test_every_socket_stands_in_the_reference() -> None:
    sockets = {name for name, value in vars(parts).items() if Protocol in getattr(value, "__bases__", ())}
    assert sockets
    assert sockets - code_in(REFERENCE) == set()


@pytest.mark.parametrize("group", GROUPS)
def test_every_kind_of_part_and_every_part_stands_in_the_reference(group: str) -> None:
    row = next((line for line in REFERENCE.splitlines() if line.startswith(f"| `{group}` |")), "")
    own = {entry.name for entry in entry_points(group=group) if entry.value.startswith("haenyeo.")}
    assert own
    assert own - code_in(row) == set()


def test_every_variable_of_the_environment_stands_in_the_reference() -> None:
    sources = (ROOT / "src").rglob("*.py")
    named = {name for path in sources for name in re.findall(r"HAENYEO_[A-Z]+", path.read_text(encoding="utf-8"))}
    assert named
    assert {name for name in named if name not in REFERENCE} == set()


def test_every_setting_stands_in_its_table() -> None:
    tables = dict(re.findall(r"^## `\[(\w+)[^\]]*\]`\n(.*?)(?=^## |\Z)", SETTINGS, re.MULTILINE | re.DOTALL))
    assert {table for table, _ in keys(Settings)} <= tables.keys()
    assert [(table, key) for table, key in keys(Settings) if f"| `{key}` |" not in tables[table]] == []


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("watchers", "vilo"),
        ("watchers", "vilo-printed"),
        ("extractors", "frequency"),
        ("extractors", "density"),
        ("planners", "groups"),
    ],
)
def test_every_option_of_a_papers_part_stands_in_the_settings(kind: PartKind, name: str) -> None:
    rows = [line for line in SETTINGS.splitlines() if line.startswith(f"| `{name}` |")]
    named = {word for row in rows for word in code_in(row)}
    assert options_of(find_part(kind, name))
    assert options_of(find_part(kind, name)).keys() - named == set()


def test_every_room_stands_in_the_guide_for_contributors() -> None:
    rooms = {path.parent.name for path in (ROOT / "src" / "haenyeo").glob("*/__init__.py")}
    assert [room for room in sorted(rooms) if f"| `{room}` |" not in CONTRIBUTING] == []


def test_the_guide_names_the_folders_of_tests_that_are_there() -> None:
    named = re.findall(r"^\| `tests/(\w+)` \|", CONTRIBUTING, re.MULTILINE)
    assert set(named) == {path.name for path in (ROOT / "tests").iterdir() if any(path.rglob("test_*.py"))}


def test_the_readme_can_be_read_in_three_minutes() -> None:
    assert 500 <= len((ROOT / "README.md").read_text(encoding="utf-8").split()) <= 700


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_files_that_are_named_are_there(page: Path) -> None:
    named = {word.split()[0] for word in code_in(page.read_text(encoding="utf-8"))}
    paths = {word for word in named if re.fullmatch(r"\w[\w./-]*/[\w.-]*\.(py|c|h|md|json|npz)|(\w+/)+", word)}
    homes = (ROOT, ROOT / "src" / "haenyeo", ROOT / "tests")
    assert [path for path in sorted(paths) if not any((home / path).exists() for home in homes)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_names_of_modules_and_classes_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    named = {*re.findall(r"^::: (haenyeo[\w.]+)$", text, re.MULTILINE), *re.findall(r"`(haenyeo(?:\.\w+)+)`", text)}
    for name in named - {"haenyeo.toml", "haenyeo.db", *GROUPS}:
        assert pkgutil.resolve_name(name) is not None


@pytest.mark.parametrize("workflow", sorted((ROOT / ".github" / "workflows").glob("*.yml")), ids=lambda path: path.stem)
def test_workflows_call_targets_and_tools_that_are_there(workflow: Path) -> None:
    text, makefile = workflow.read_text(encoding="utf-8"), (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = re.findall(r"\bmake (\w+)", text)
    assert [target for target in targets if not re.search(rf"^{target}:", makefile, re.MULTILINE)] == []
    assert [path for path in re.findall(r"\btools/\w+\.py", text) if not (ROOT / path).exists()] == []
