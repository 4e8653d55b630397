"""A document as Markdown: headings, lists, tables, code, quotations, links and images."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

import msgspec

from haenyeo.html.links import Resolver
from haenyeo.html.urls import resolve
from haenyeo.model.pages import Block, Document, Url
from haenyeo.read.escapes import as_code, at_beginning, escaped
from haenyeo.read.page.places import tag_of
from haenyeo.read.runs import Image, Run, TextPiece, runs_of

_LOOK_AHEAD = 40  # blocks that may be missing among the runs without losing the place
_HEADING = re.compile("h[1-6]")
_LISTS = frozenset({"ul", "ol", "dir", "menu"})
_CELLS = frozenset({"td", "th"})
_BLANKS = re.compile(r"\s+")


def with_markdown(document: Document, html: str) -> Document:
    """The document with its Markdown and the links and images in its text, from the page it was read from."""
    found = list(_of_the_text(list(runs_of(html)), document.blocks))
    base = document.canonical or document.url
    resolved = Resolver(base).literal
    links = (resolved(piece.link) for part in found if isinstance(part, Run) for piece in part.pieces if piece.link)
    images = (resolve(base, part.source) for part in found if isinstance(part, Image))
    return msgspec.structs.replace(
        document,
        markdown="\n\n".join(_parts(found, base)) or document.text,
        links=tuple(dict.fromkeys(link for link in links if link)),
        images=tuple(dict.fromkeys(image for image in images if image)),
    )


def _of_the_text(parts: Sequence[Run | Image], blocks: Sequence[Block]) -> Iterator[Run | Image]:
    """The runs that are the document's blocks, and the images between them."""
    keys = [(tuple(map(tag_of, block.path.split(">"))) if block.path else (), _solid(block.text)) for block in blocks]
    place = 0
    waiting: list[Image] = []
    for part in parts:
        if isinstance(part, Image):
            if 0 < place < len(keys) and part.source:
                waiting.append(part)
            continue
        key = (part.tags, _solid("".join(piece.text for piece in part.pieces)))
        ahead = keys[place : place + _LOOK_AHEAD]
        if key in ahead:
            place += ahead.index(key) + 1
            yield from waiting
            waiting = []
            yield part


def _solid(text: str) -> str:
    return "".join(text.split())


def _parts(found: Sequence[Run | Image], base: Url) -> Iterator[str]:
    """The parts of the Markdown between empty lines."""
    for kind, group in groupby(_images_behind(found), _kind):
        parts = list(group)
        if kind == "image":
            yield from (_image(part, base) for part in parts if isinstance(part, Image))
            continue
        runs = [part for part in parts if isinstance(part, Run)]
        if kind.startswith("table"):
            yield _table(runs, base)
        elif kind.startswith("list"):
            yield _list(runs, base)
        elif kind.startswith("quotation"):
            yield "\n>\n".join(_quoted(run, base) for run in runs)
        else:
            yield from (_paragraph(run, base) for run in runs)


def _images_behind(found: Sequence[Run | Image]) -> Iterator[Run | Image]:
    """The same with images that stand in a list or a table behind it, for they would part it."""
    waiting: list[Image] = []
    around = ""
    for part in found:
        if isinstance(part, Image):
            waiting.append(part)
            continue
        kind = _kind(part)
        if not kind.startswith(("list", "table")) or kind != around:
            yield from waiting
            waiting = []
        around = kind
        yield part
    yield from waiting


def _kind(part: Run | Image) -> str:
    """Runs of one list, table or quotation are written together."""
    if isinstance(part, Image):
        return "image"
    for tag, number in part.blocks:
        if tag == "table" and part.tags[-1] != "pre":
            return f"table {number}"
        if tag in _LISTS and "pre" not in part.tags:
            return f"list {number}"
    quotation = next((number for tag, number in part.blocks if tag == "blockquote"), None)
    return "paragraph" if quotation is None else f"quotation {quotation}"


def _paragraph(run: Run, base: Url) -> str:
    if "pre" in run.tags:
        code = "".join(piece.text for piece in run.pieces).strip("\n")
        fence = "`" * max(3, 1 + max(map(len, re.findall("`+", code)), default=0))
        return f"{fence}\n{code}\n{fence}"
    heading = next((tag for tag in reversed(run.tags) if _HEADING.fullmatch(tag)), "")
    text = _inline(run.pieces, base)
    if heading:
        return f"{'#' * int(heading[1])} {text}"
    return at_beginning(text)


def _quoted(run: Run, base: Url) -> str:
    signs = "> " * run.tags.count("blockquote")
    return "\n".join(f"{signs}{line}".rstrip() for line in _paragraph(run, base).split("\n"))


def _list(runs: Sequence[Run], base: Url) -> str:
    lines: list[str] = []
    begun: set[int] = set()
    for run in runs:
        lists = [tag for tag in run.tags if tag in _LISTS]
        item = next((number for tag, number in reversed(run.blocks) if tag == "li"), -1)
        indent = "    " * (len(lists) - 1)
        sign = ("1. " if lists[-1] == "ol" else "- ") if item not in begun else "  "
        begun.add(item)
        lines.append(f"{indent}{sign}{at_beginning(_inline(run.pieces, base))}")
    return "\n".join(lines)


def _table(runs: Sequence[Run], base: Url) -> str:
    """A table with its first row as the head, for Markdown knows no other."""
    rows: dict[int, dict[int, list[str]]] = {}
    for run in runs:
        row = next((number for tag, number in reversed(run.blocks) if tag == "tr"), -1)
        cell = next((number for tag, number in reversed(run.blocks) if tag in _CELLS), -1)
        rows.setdefault(row, {}).setdefault(cell, []).append(_inline(run.pieces, base).replace("|", "\\|"))
    width = max(map(len, rows.values()))
    lines = []
    for cells in rows.values():
        texts = [" ".join(texts) for texts in cells.values()]
        lines.append("| " + " | ".join([*texts, *[""] * (width - len(texts))]) + " |")
    lines.insert(1, "|" + " --- |" * width)
    return "\n".join(lines)


def _inline(pieces: Sequence[TextPiece], base: Url) -> str:
    """The pieces with links and marks, each stretch of white space as one blank."""
    written = []
    for link, group in groupby(pieces, lambda piece: piece.link):
        text = "".join(map(_marked, group))
        target = resolve(base, link) if link else None
        written.append(_wrapped(text, "[", f"]({_target(target)})") if target else text)
    return _BLANKS.sub(" ", "".join(written)).strip()


def _marked(piece: TextPiece) -> str:
    if piece.mark == "`":
        inner = piece.text.strip()
        return piece.text.replace(inner, as_code(inner), 1) if inner else piece.text
    text = escaped(piece.text)
    return _wrapped(text, piece.mark, piece.mark) if piece.mark else text


def _target(address: str) -> str:
    """An address where a link ends at the next bracket."""
    return f"<{address}>" if "(" in address or ")" in address else address


def _wrapped(text: str, before: str, behind: str) -> str:
    """The text between two signs, white space at its ends left outside."""
    inner = text.strip()
    if not inner:
        return text
    start = text.index(inner)
    return f"{text[:start]}{before}{inner}{behind}{text[start + len(inner) :]}"


def _image(image: Image, base: Url) -> str:
    alternative = re.sub(r"[\[\]\\]", r"\\\g<0>", _BLANKS.sub(" ", image.alternative).strip())
    return f"![{alternative}]({_target(resolve(base, image.source) or image.source)})"
