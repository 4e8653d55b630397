"""Markdown as pages: text files that are written in it, such as llms.txt, have headings and links as HTML has."""

from __future__ import annotations

import functools
import html
import re
from collections.abc import Callable

from haenyeo.html.mime import essence
from haenyeo.model.pages import Url

LONGEST = 1 << 19
"""Characters that are read as Markdown, which takes seconds for a longer file made to do harm; the rest is text."""

_TYPES = frozenset({"text/markdown", "text/x-markdown", "text/x-web-markdown"})
_PLAIN = frozenset({"", "text/plain"})
_NAMES = (".md", ".markdown", "/llms.txt", "/llms-full.txt")
_FRONT_MATTER = re.compile(r"\ufeff?---[ \t]*\r?\n(.{0,20000}?)\r?\n---[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_TITLE = re.compile(r"^title:[ \t]*([\"']?)(.+?)\1[ \t]*$", re.MULTILINE)
_HEADING = re.compile(r"<h1>(.+?)</h1>", re.DOTALL)
_TAG = re.compile(r"<[^<>]*>")


def is_markdown(content_type: str, url: Url) -> bool:
    """Whether a file is written in Markdown, by its label, or by its name if it is labelled as any text is.

    >>> is_markdown("text/plain", Url("https://a.example/llms.txt")), is_markdown("text/plain", Url("https://a.example/a"))
    (True, False)
    """
    label = essence(content_type)
    return label in _TYPES or (label in _PLAIN and url.partition("?")[0].lower().endswith(_NAMES))


def as_html(text: str) -> str:
    """The page that a file written in Markdown means; its title is the one it names, or its first heading."""
    front = _FRONT_MATTER.match(text)
    said = text[front.end() :] if front else text
    cut = said.rfind("\n\n", 0, LONGEST) if len(said) > LONGEST else len(said)
    cut = cut if cut > 0 else LONGEST
    body = _renderer()(said[:cut]) + "".join(f"<p>{html.escape(part)}</p>\n" for part in said[cut:].split("\n\n"))
    named = _TITLE.search(front[1]) if front else None
    heading = _HEADING.search(body)
    title = html.escape(named[2]) if named else _TAG.sub("", heading[1]) if heading else ""
    head = f'<head><meta charset="utf-8"><title>{title}</title></head>'
    return f"<!DOCTYPE html>\n<html>{head}\n<body>\n{body}</body></html>\n"


@functools.cache
def _renderer() -> Callable[[str], str]:
    from markdown_it import MarkdownIt

    render: Callable[[str], str] = MarkdownIt("commonmark").enable("table").render
    return render
