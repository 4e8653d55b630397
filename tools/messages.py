"""Collects what Haenyeo says when something goes wrong, from its code, for the page that explains it.

    python tools/messages.py      prints the messages that docs/messages.md does not have yet, as rows for its tables

Found are the messages of all errors raised on purpose, of wrong command lines, the endings of crawls, and the reasons
for which links bring no page. What is filled in when they are said stands as an ellipsis.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "haenyeo"
PAGE = ROOT / "docs" / "messages.md"
FILLED_IN = "…"
TABLES = {("cli/crawl.py", "SAYINGS"), ("collect/advice.py", "_LASTING"), ("collect/advice.py", "_PASSING")}
"""Dictionaries whose keys (reasons) or values (endings) are said."""
OF_CLICK = {"UsageError", "BadParameter", "ClickException"}


class Message(NamedTuple):
    """Something that is said, and where in the source."""

    text: str
    where: str


def messages() -> list[Message]:
    """All messages, in the order of the files they stand in."""
    found: dict[str, Message] = {}
    errors = _errors() | OF_CLICK
    for path in sorted(SOURCE.rglob("*.py")):
        where = path.relative_to(SOURCE).as_posix()
        if where.startswith("promises/"):  # suites of tests
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            for text in (*_raised(node, errors), *_listed(node, where), *_reasons(node)):
                if _says_something(text):
                    found.setdefault(text, Message(text, where))
    return list(found.values())


def missing(page: str) -> list[Message]:
    """The messages that a page does not have as code."""
    told = page.replace("\\|", "|")
    return [message for message in messages() if f"`{message.text}`" not in told]


def _errors() -> set[str]:
    tree = ast.parse((SOURCE / "model" / "errors.py").read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.ClassDef)}


def _raised(node: ast.AST, errors: set[str]) -> Iterator[str]:
    """The message of an error that is made here."""
    if isinstance(node, ast.Call) and node.args and _name(node.func) in errors:
        yield from _texts(node.args[0])


def _reasons(node: ast.AST) -> Iterator[str]:
    """The reason that a call or a class gives to a page that was not read."""
    if isinstance(node, ast.Call):
        for keyword in node.keywords:
            if keyword.arg == "reason" and isinstance(keyword.value, ast.Constant):
                yield from _texts(keyword.value)


def _listed(node: ast.AST, where: str) -> Iterator[str]:
    """The entries of a table that is said."""
    if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Dict):
        return
    name = _name(node.targets[0])
    if (where, name) in TABLES:
        said = node.value.values if name == "SAYINGS" else node.value.keys
        yield from (text for each in said if each is not None for text in _texts(each))


def _name(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _texts(node: ast.AST) -> list[str]:
    """What an expression may say."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    if isinstance(node, ast.IfExp):
        return [*_texts(node.body), *_texts(node.orelse)]
    if isinstance(node, ast.JoinedStr):
        return ["".join(str(part.value) if isinstance(part, ast.Constant) else FILLED_IN for part in node.values)]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return [one + other for one in _texts(node.left) for other in _texts(node.right)]
    return []


def _says_something(text: str) -> bool:
    return any(letter.isalpha() for letter in text)


def main() -> int:
    """Print what the page lacks."""
    lacking = missing(PAGE.read_text(encoding="utf-8") if PAGE.exists() else "")
    for message in lacking:
        print(f"| `{message.text.replace('|', chr(92) + '|')}` | |    <- {message.where}")
    return 1 if lacking else 0


if __name__ == "__main__":
    sys.exit(main())
