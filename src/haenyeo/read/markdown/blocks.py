"""The blocks of a page as Markdown: headings, paragraphs, lists, code, quotations, definitions, tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from haenyeo.read.listings import without_line_numbers
from haenyeo.read.markdown.inline import ShownPage, flat_text, image_of, paragraphs_of
from haenyeo.read.markdown.kept import BLOCK_TAGS, HIDDEN
from haenyeo.read.markdown.tables import is_data, table_of

_LISTS = frozenset({"ul", "ol", "dir", "menu"})
_LANGUAGE = re.compile(
    r"(?:^|\s)(?:lang|language|highlight|brush:|highlight-source|sourceCode)[-: ]\s?([A-Za-z][\w+#-]{0,20})"
)
_ITEM = re.compile(r"- |\d+\. ")
_NO_LANGUAGE = frozenset({"auto", "default", "none", "plaintext", "text", "notranslate"})
_PAIR = 2
_DEEPEST = 60  # elements in each other; what lies further in is written as a paragraph


def blocks_of(node: Any, page: ShownPage, depth: int = 0) -> Iterator[str]:
    """The blocks in an element, each to stand between empty lines."""
    line: list[Any] = []
    for child in node.iter(include_text=True):
        if child.tag not in BLOCK_TAGS and not _holds_block(child, page, depth):
            line.append(child)
            continue
        yield from _paragraph(line, page)
        line = []
        if child.mem_id in page.around:
            yield from _block(child, page, depth + 1)
    yield from _paragraph(line, page)


def _holds_block(node: Any, page: ShownPage, depth: int) -> bool:
    """Whether an inline element has blocks in it, such as a link around a heading."""
    if node.mem_id not in page.around or depth > _DEEPEST:
        return False
    return any(child.tag in BLOCK_TAGS or _holds_block(child, page, depth + 1) for child in node.iter())


def _paragraph(nodes: list[Any], page: ShownPage) -> Iterator[str]:
    shown = [node for node in nodes if node.mem_id in page.shown]
    if shown and all(node.tag == "img" for node in shown) and not any(node.mem_id in page.around for node in nodes):
        yield from filter(None, (image_of(node, page) for node in shown))
    else:
        yield from paragraphs_of(nodes, page)


def _block(node: Any, page: ShownPage, depth: int) -> Iterator[str]:
    tag = node.tag
    if tag in HIDDEN or depth > _DEEPEST:
        return
    if tag in _WRITERS:
        yield from _WRITERS[tag](node, page, depth)
    else:
        yield from blocks_of(node, page, depth)


def _heading(node: Any, page: ShownPage, depth: int) -> Iterator[str]:
    del depth
    text = flat_text(node, page)
    if text.count("**") == _PAIR and text.startswith("**") and text.endswith("**"):
        text = text.strip("*")  # a heading is bold as it is
    if text:
        yield f"{'#' * int(node.tag[1])} {text}"


def _listing(node: Any, page: ShownPage, depth: int) -> Iterator[str]:
    del depth
    code = without_line_numbers("".join(_code_in(node, page)).strip("\n"))
    if code.strip():
        fence = "`" * max(3, 1 + max(map(len, re.findall("`+", code)), default=0))
        yield f"{fence}{language_of_code(node)}\n{code}\n{fence}"


def _code_in(node: Any, page: ShownPage, depth: int = 0) -> list[str]:
    """The text of a listing; where each of its lines is an element, it stands on a line of its own."""
    pieces: list[str] = []
    for child in node.iter(include_text=True):
        if child.tag == "br" and pieces:
            pieces.append("\n")
        elif depth > _DEEPEST or child.tag == "-text":
            pieces += [child.text_content or ""] if child.mem_id in page.shown else []
        else:
            inner = _code_in(child, page, depth + 1)
            if child.tag in BLOCK_TAGS:
                pieces += ["\n"] if inner and pieces and not pieces[-1].endswith("\n") else []
                inner += ["\n"] if inner and not inner[-1].endswith("\n") else []
            pieces += inner
    return pieces


def language_of_code(node: Any) -> str:
    """The language that a listing, its code element or the elements around say by their classes."""
    around = [*node.css("code")[:1], node, node.parent, node.parent.parent if node.parent is not None else None]
    for element in around:
        if element is None or not hasattr(element, "attributes"):
            continue
        said = (element.attributes or {}).get("data-lang") or (element.attributes or {}).get("data-language")
        found = _LANGUAGE.search((element.attributes or {}).get("class") or "")
        name = (said or (found[1] if found else "")).lower()
        if name and name.isprintable() and " " not in name:
            return "" if name in _NO_LANGUAGE or "`" in name else name
    return ""


def joined(parts: Iterable[str]) -> str:
    """Blocks between empty lines; two lists that follow each other are kept apart by a comment."""
    written: list[str] = []
    for part in parts:
        sign = _ITEM.match(part)
        before = _ITEM.match(written[-1]) if written else None
        if sign and before and sign[0][0].isdigit() == before[0][0].isdigit():
            written.append("<!-- -->")
        written.append(part)
    return "\n\n".join(written)


def _quotation(node: Any, page: ShownPage, depth: int) -> Iterator[str]:
    if inner := joined(blocks_of(node, page, depth)):
        yield "\n".join(f"> {line}".rstrip() for line in inner.split("\n"))


def _list(node: Any, page: ShownPage, depth: int) -> Iterator[str]:
    """A list, its items close together if each is one paragraph, with a list in it at most.

    A list without items only indents what is in it.
    """
    if not any(child.tag == "li" and child.mem_id in page.around for child in node.iter()):
        yield from blocks_of(node, page, depth)
        return
    items = list(_items(node, page, depth))
    written = [
        _item(f"{number}. " if node.tag == "ol" else "- ", parts, close) for number, parts, close in items if parts
    ]
    if written:
        yield ("\n" if all(close for _, _, close in items) else "\n\n").join(written)


def _items(node: Any, page: ShownPage, depth: int) -> Iterator[tuple[int, list[str], bool]]:
    """The items of a list, and what stands between them: number, blocks, and whether the next may stand close to it."""
    number, line = _start(node), list[Any]()
    for child in node.iter(include_text=True):
        if child.tag not in BLOCK_TAGS and not _holds_block(child, page, depth):
            line.append(child)
            continue
        if parts := list(_paragraph(line, page)):
            yield number, parts, len(parts) == 1
        line = []
        if child.mem_id in page.around:
            parts = list(blocks_of(child, page, depth) if child.tag == "li" else _block(child, page, depth))
            yield number, parts, child.tag == "li" and _is_close(child, parts, page)
        number += child.tag == "li"
    if parts := list(_paragraph(line, page)):
        yield number, parts, len(parts) == 1


def _is_close(item: Any, parts: list[str], page: ShownPage) -> bool:
    """Whether an item, written in these parts, has no blocks but lists in it, besides its text."""
    if sum(not _ITEM.match(part) for part in parts) > 1:
        return False
    inner = [child for child in item.iter() if child.tag in BLOCK_TAGS and child.mem_id in page.around]
    return all(child.tag in _LISTS for child in inner) or (len(inner) == 1 and inner[0].tag in {"p", "div", "span"})


def _item(sign: str, parts: list[str], close: bool) -> str:  # noqa: FBT001
    inner = "\n".join(parts) if close else joined(parts)
    indent = " " * len(sign)
    return sign + "\n".join(f"{indent}{line}" if line else "" for line in inner.split("\n")).lstrip(" ")


def _start(node: Any) -> int:
    said = (node.attributes.get("start") or "") if node.tag == "ol" else ""
    return int(said) if said.isascii() and said.isdigit() and len(said) <= len("99999999") else 1


def _definitions(node: Any, page: ShownPage, depth: int) -> Iterator[str]:
    """Terms and what they mean: a paragraph in bold, and a list."""
    meanings: list[str] = []
    for child in node.iter():
        if child.mem_id not in page.around:
            continue
        if child.tag == "dd":
            parts = list(blocks_of(child, page, depth))
            meanings += [_item("- ", parts, close=False)] if parts else []
            continue
        yield from ["\n\n".join(meanings)] if meanings else []
        meanings = []
        if child.tag == "dt":
            text = flat_text(child, page)
            yield from [f"**{text}**" if "**" not in text else text] if text else []
        else:
            yield from _definitions(child, page, depth + 1) if child.tag == "div" else _block(child, page, depth)
    yield from ["\n\n".join(meanings)] if meanings else []


def _table(node: Any, page: ShownPage, depth: int) -> Iterator[str]:
    if is_data(node, page):
        yield from table_of(node, page)
    else:
        yield from blocks_of(node, page, depth)


_WRITERS = {
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), _heading),
    **dict.fromkeys(_LISTS, _list),
    **dict.fromkeys(("pre", "listing", "plaintext"), _listing),
    "blockquote": _quotation,
    "dl": _definitions,
    "table": _table,
}
