"""A line of Markdown from the inline elements of a page: marks, links, code, formulas, images."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from haenyeo.html.inline import APART, runs_on
from haenyeo.html.urls import resolve
from haenyeo.model.pages import Url
from haenyeo.read.markdown.escapes import as_code, at_beginning, escaped
from haenyeo.read.markdown.kept import BLOCK_TAGS
from haenyeo.read.title import MARKS

_MARKS = {
    **dict.fromkeys(("b", "strong"), "**"),
    **dict.fromkeys(("em", "i", "cite", "dfn"), "*"),
    **dict.fromkeys(("del", "s", "strike"), "~~"),
}
_CODE = frozenset({"code", "kbd", "samp", "tt"})
_BLANKS = re.compile(r"[\s\0-\x1f]+")
_BRACKET = re.compile(r"(?<!\\)[\[\]]")
_BREAK = "\u2028"  # where the page breaks a line; otherwise white space, as the other is
_BREAKS = re.compile(f"({_BREAK})")
_EMPTY_LINES = re.compile(rf"{_BREAK}[^\S{_BREAK}]*{_BREAK}\s*")
_TEX = "application/x-tex"
_LATER = ("data-src", "data-lazy-src", "data-original")  # where scripts that load images later find them
_WORDLESS = "![]("  # how an image without an alternative text begins


class ShownPage(NamedTuple):
    """What a writer must know: which nodes are shown, which elements hold any, and where addresses start."""

    shown: frozenset[int]
    around: frozenset[int]
    base: Url


def line_of(nodes: Iterable[Any], page: ShownPage) -> str:
    """Inline nodes as one line, each stretch of white space as one blank, without images that only decorate it."""
    return _squeezed(_undecorated(nodes, page))


def paragraphs_of(nodes: Iterable[Any], page: ShownPage) -> Iterator[str]:
    """The same as paragraphs: two line breaks part them, and a single one begins a new line of one."""
    for part in _EMPTY_LINES.split(_undecorated(nodes, page)):
        lines = [at_beginning(text) for line in part.split(_BREAK) if (text := _squeezed(line))]
        if lines:
            yield "\\\n".join(lines)


def _squeezed(line: str) -> str:
    return _BLANKS.sub(" ", line).strip()


def _undecorated(nodes: Iterable[Any], page: ShownPage) -> str:
    nodes = list(nodes)
    line = _joined(nodes, page)
    if _WORDLESS not in line:
        return line
    plain = page._replace(shown=page.shown - {image.mem_id for image in _wordless(nodes)})
    without = _joined(nodes, plain)
    return without if without.strip() else line


def flat_text(node: Any, page: ShownPage) -> str:
    """The text of a heading or a cell in one line, with a blank between the blocks in it."""
    return " ".join(filter(None, _lines(node, page)))


def _lines(node: Any, page: ShownPage) -> Iterator[str]:
    line: list[Any] = []
    for child in node.iter(include_text=True):
        if child.tag not in BLOCK_TAGS:
            line.append(child)
            continue
        yield line_of(line, page)
        line = []
        yield from _lines(child, page)
    yield line_of(line, page)


def _wordless(nodes: Iterable[Any]) -> Iterator[Any]:
    """The images that have no alternative text: beside text they are arrows, dots and the like."""
    for node in nodes:
        images = [node] if node.tag == "img" else node.css("img") if node.tag != "-text" else []
        yield from [image for image in images if not (image.attributes.get("alt") or "").strip()]


def plain_of(node: Any, page: ShownPage) -> str:
    """The text in an element as it stands there."""
    return "".join([found.text_content or "" for found in _texts(node) if found.mem_id in page.shown])


def tex_of(node: Any) -> str:
    """The TeX that a formula was made from, if it says so."""
    for found in node.css("annotation"):
        if found.attributes.get("encoding") == _TEX:
            return " ".join((found.text() or "").split())
    return ""


def image_of(node: Any, page: ShownPage) -> str:
    """An image with its alternative text."""
    source = source_of(node)
    alternative = re.sub(r"[\[\]\\]", r"\\\g<0>", _BLANKS.sub(" ", node.attributes.get("alt") or "").strip())
    return f"![{alternative}]({target_of(resolve(page.base, source) or source)})" if source else ""


def source_of(node: Any) -> str:
    """The address of an image; where a picture in the page holds its place until it is loaded, that of the image."""
    said = [node.attributes.get(name) or "" for name in ("src", *_LATER)]
    return next((address for address in map(str.strip, said) if address and not address.startswith("data:")), "")


def target_of(address: str) -> str:
    """An address where a link ends at the next bracket."""
    return f"<{address}>" if set("() <>") & set(address) else address


def _written(node: Any, page: ShownPage) -> str:
    tag = node.tag
    if tag == "br":
        return _BREAK
    if node.mem_id in page.shown:
        return image_of(node, page) if tag == "img" else escaped(node.text_content or "")
    return _element(node, page) if node.mem_id in page.around else ""


def _element(node: Any, page: ShownPage) -> str:
    tag = node.tag
    if tag == "math" or "katex" in (node.attributes.get("class") or "").split():
        tex = tex_of(node)
        return f"${tex}$" if tex else _inside(node, page)
    if tag in _CODE:
        return _code(plain_of(node, page))
    if tag == "a":
        return _link(node, page)
    mark = _MARKS.get(tag, "")
    return _wrapped(_inside(node, page), mark, mark) if mark else _inside(node, page)


def _inside(node: Any, page: ShownPage) -> str:
    return _joined(node.iter(include_text=True), page)


def _joined(nodes: Iterable[Any], page: ShownPage) -> str:
    parts: list[str] = []
    last: Any = None
    for node in nodes:
        written = _written(node, page)
        if written and parts and last.tag in APART and node.tag in APART and _run_on(last, node):
            parts.append(" ")
        if written:
            last = node
            parts.append(written)
    return "".join(parts)


def _run_on(last: Any, following: Any) -> bool:
    """Whether two elements are shown apart, though no blank parts their words."""
    border = (last.text() or "")[-1:] + (following.text() or "")[:1]
    return runs_on(border, between_links=last.tag == following.tag == "a")


def _link(node: Any, page: ShownPage) -> str:
    text, href = _inside(node, page), node.attributes.get("href") or ""
    if href.startswith("#") and text.strip() in MARKS:
        return ""
    target = resolve(page.base, href) if href else None
    return _wrapped(_balanced(text.replace(_BREAK, " ")), "[", f"]({target_of(target)})") if target else text


def _balanced(text: str) -> str:
    """The text of a link, its brackets with backslashes if they would end it too soon or never."""
    depth = 0
    for bracket in _BRACKET.findall(text):
        depth += 1 if bracket == "[" else -1
        if depth < 0:
            break
    return _BRACKET.sub(r"\\\g<0>", text) if depth and "](" not in text else text


def _code(text: str) -> str:
    inner = _BLANKS.sub(" ", text.strip())
    return text.replace(text.strip(), as_code(inner), 1) if inner else text


def _wrapped(text: str, before: str, behind: str) -> str:
    """The text between two signs, white space at its ends left outside; what has such a sign already gets no second."""
    if before == behind and _BREAK in text.strip():  # marks do not reach over lines
        return "".join([_wrapped(part, before, behind) for part in _BREAKS.split(text)])
    inner = text.strip()
    if not inner or (before == behind and before in inner):
        return text
    start = text.index(inner)
    return f"{text[:start]}{before}{inner}{behind}{text[start + len(inner) :]}"


def _texts(node: Any) -> Iterator[Any]:
    for found in node.traverse(include_text=True):
        if found.tag == "-text":
            yield found
