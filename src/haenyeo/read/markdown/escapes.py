"""Text written so that Markdown takes it for text: a sign gets a backslash, but only where it would mean something."""

from __future__ import annotations

import re

_MEANT = re.compile(
    r"""
      \\(?=[!-/:-@\[-`{-~])                # a backslash before a sign
    | `
    | \*(?!\s) | (?<!\s)\*                 # emphasis begins or ends beside a word, or where a mark may follow
    | (?<!\w)_(?!\s) | (?<!\s)_(?!\w)      # and this one not inside of it
    | \[(?=[^\[\]]*\][(\[:])               # a link, or what one refers to
    | <(?=[A-Za-z/!?])                     # a tag
    | &(?=\#?\w+;)                         # a character by its name
    | ~(?=~)
    """,
    re.VERBOSE,
)
_BEGINNING = re.compile(r"(?:\#{1,6}|[-+*])(?=\s|$)|>|=+\s*$|(?:[-_*]\s*){3,}$|~~~")
_NUMBERED = re.compile(r"(\d{1,9})([.)])(?=\s|$)")
_TICKS = re.compile("`+")


def escaped(text: str) -> str:
    r"""The text of a paragraph, whatever signs are in it.

    >>> print(escaped("2 * 3, *x* and snake_case"), escaped("<b> & &amp;"))
    2 * 3, \*x\* and snake_case \<b> & \&amp;
    """
    return _MEANT.sub(r"\\\g<0>", text)


def at_beginning(text: str) -> str:
    r"""Escaped text at the beginning of a line, where it could be a heading, a list, a quotation or a rule.

    >>> print(at_beginning("# 1"), at_beginning("1986. A year."), at_beginning("- 3 degrees"))
    \# 1 1986\. A year. \- 3 degrees
    """
    if _BEGINNING.match(text):
        return f"\\{text}"
    return _NUMBERED.sub(r"\1\\\2", text, count=1) if _NUMBERED.match(text) else text


def as_code(text: str) -> str:
    """Code inside a line, between more backticks than it has in a row.

    >>> as_code("x"), as_code("a `b` c")
    ('`x`', '``a `b` c``')
    """
    ticks = "`" * (max(map(len, _TICKS.findall(text)), default=0) + 1)
    room = " " if text[:1] == "`" or text[-1:] == "`" else ""
    return f"{ticks}{room}{text}{room}{ticks}"
