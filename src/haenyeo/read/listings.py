"""Listings with their line numbers in them: what stands before each line is not code."""

from __future__ import annotations

import re

_FEWEST_LINES = 5
_NUMBERED = re.compile(r"[ \t]*(\d{1,6})")
_OF_LISTS = (".", ")", ":", ",", "-", "%", "\u00b0")


def without_line_numbers(code: str) -> str:
    r"""The code without the numbers of its lines, if each of them begins with the next number.

    >>> without_line_numbers("1int a;\n2\n3int b;\n4\n5int c;")
    'int a;\n\nint b;\n\nint c;'
    >>> without_line_numbers("1. Dive\n2. Rest\n3. Dive\n4. Rest\n5. Eat")[:7]
    '1. Dive'
    """
    lines = code.rstrip().split("\n")
    first = _NUMBERED.match(lines[0])
    if first is None or len(lines) < _FEWEST_LINES:
        return code
    rest = []
    for number, line in enumerate(lines, int(first[1])):
        begun = line.lstrip(" \t")
        if not begun.startswith(str(number)):
            return code
        rest.append(begun[len(str(number)) :])
    filled = [line for line in rest if line]
    if not filled or all(line.startswith(_OF_LISTS) for line in filled):
        return code
    return "\n".join(rest)
