"""What may be done where, and what things are called: only `store` speaks with the database; a name has one meaning."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

HAENYEO = Path(__file__).parent.parent / "src" / "haenyeo"
OUTSIDE_STORE = sorted(path for path in HAENYEO.rglob("*.py") if HAENYEO / "store" not in path.parents)
STATEMENT = re.compile(
    r"\s*(SELECT\s.+\sFROM|SELECT\s+[\w(*]|INSERT\s(OR\s\w+\s)?INTO|UPDATE\s\S+\sSET|DELETE\sFROM|REPLACE\sINTO"
    r"|(CREATE|DROP|ALTER)\s(TABLE|INDEX|VIEW|TRIGGER|VIRTUAL)|PRAGMA\s\w|(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|VACUUM)\b"
    r"|WITH\s\w+\sAS\s*\()",
    re.DOTALL,
)
RUNS_SQL = frozenset({"execute", "executemany", "executescript"})


def docstrings(tree: ast.AST) -> set[int]:
    """The ids of the strings that stand alone: they are read by people."""
    return {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}


def database_use(source: str) -> Iterator[str]:
    """What a module does with a database itself, one line for each place."""
    tree = ast.parse(source)
    told = docstrings(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            if STATEMENT.match(node.value):
                yield f"line {node.lineno}: SQL {node.value[:40]!r}"
        elif isinstance(node, ast.Attribute) and node.attr in RUNS_SQL:
            yield f"line {node.lineno}: .{node.attr}"
        elif isinstance(node, ast.Import) and any(name.name.split(".")[0] == "sqlite3" for name in node.names):
            yield f"line {node.lineno}: import sqlite3"
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "sqlite3":
            yield f"line {node.lineno}: from sqlite3"


@pytest.mark.parametrize("path", OUTSIDE_STORE, ids=lambda path: str(path.relative_to(HAENYEO)))
def test_only_the_store_speaks_with_the_database(path: Path) -> None:
    assert list(database_use(path.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(
    "source",
    [
        "import sqlite3",
        "def work():\n    from sqlite3 import connect",
        "store.ask('SELECT url FROM page WHERE id = ?', (1,))",
        "QUERY = (\n    'SELECT page.id, url'\n    ' FROM page WHERE page.id IN '\n)",
        "store.ask(f'PRAGMA cache_size = -{size}')",
        "rows = f'{start} '; more = 'DELETE FROM page'",
        "query = 'UPDATE page SET kept = 1'",
        "connection.executemany(query, rows)",
    ],
)
def test_a_module_that_speaks_with_the_database_is_noticed(source: str) -> None:
    assert list(database_use(source)) != []


@pytest.mark.parametrize(
    "source",
    ['"""Select pages from the store."""', "say('Update the page')", "title = 'Select a topic FROM the list below'"],
)
def test_words_for_people_are_no_statements(source: str) -> None:
    assert list(database_use(source)) == []


def test_a_class_name_has_one_meaning() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for path in sorted(HAENYEO.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(str(path.relative_to(HAENYEO)))
    shared = {name: where for name, where in places.items() if len(where) > 1}
    assert shared == {}
