"""The text of a page with its form: runs of inline text, each with the elements around it, in page order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, cast

from haenyeo.html.guard import guarded_tree


def _words(names: str) -> frozenset[str]:
    return frozenset(names.split())


BLOCK_TAGS = _words(
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure"
    " footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol optgroup option p"
    " plaintext pre search section summary table tbody td tfoot th thead tr ul"
)
_HIDDEN = _words("head iframe noembed noframes noscript script style svg template textarea title xmp")
_LINK, _STRONG, _EMPHASIS, _CODE = "a", frozenset({"b", "strong"}), frozenset({"em", "i"}), frozenset({"code", "kbd"})


class TextPiece(NamedTuple):
    """A text node: `link` is the href around it; `mark` the Markdown sign that its form asks for."""

    text: str
    link: str = ""
    mark: str = ""


class Image(NamedTuple):
    """An image: its address as written, and its alternative text."""

    source: str
    alternative: str


class Run(NamedTuple):
    """Inline text between the borders of blocks.

    `blocks` are tag and number of the elements around it, outermost first.
    """

    blocks: tuple[tuple[str, int], ...]
    pieces: list[TextPiece]

    @property
    def tags(self) -> tuple[str, ...]:
        """The tags of the blocks around it."""
        return tuple(tag for tag, _ in self.blocks)


def runs_of(html: str) -> Iterator[Run | Image]:
    """The runs and images of a page, in order."""
    root = guarded_tree(html).root
    return _runs(cast("Iterable[Any]", root.traverse(include_text=True))) if root is not None else iter(())


def _runs(nodes: Iterable[Any]) -> Iterator[Run | Image]:
    run: Run | None = None
    for node in nodes:
        tag = node.tag
        if tag == "-text":
            found = _around(node)
            if found is None or (run is None and found[1].text.isspace()):
                continue
            if run is None or run.blocks != found[0]:
                yield from [run] if run else []
                run = Run(found[0], [])
            run.pieces.append(found[1])
        elif tag == "br":
            if run is not None:
                run.pieces.append(TextPiece("\n"))
        elif tag == "img" or tag in BLOCK_TAGS:
            yield from [run] if run else []
            run = None
            if tag == "img":
                yield Image(node.attributes.get("src") or "", node.attributes.get("alt") or "")
    yield from [run] if run else []


def _around(node: Any) -> tuple[tuple[tuple[str, int], ...], TextPiece] | None:
    """The blocks around a text node, and the node as a piece; nothing if it is not shown."""
    blocks: list[tuple[str, int]] = []
    link = mark = ""
    parent = node.parent
    while parent is not None:
        tag = parent.tag
        if tag in _HIDDEN:
            return None
        if tag in BLOCK_TAGS:
            if tag not in {"html", "body"}:
                blocks.append((tag, parent.mem_id))
        elif not blocks and tag == _LINK and not link:
            link = parent.attributes.get("href") or ""
        elif not blocks and not mark:
            mark = _mark(tag)
        parent = parent.parent
    return tuple(reversed(blocks)), TextPiece(node.text_content or "", link, mark)


def _mark(tag: str) -> str:
    if tag in _STRONG:
        return "**"
    if tag in _EMPHASIS:
        return "*"
    return "`" if tag in _CODE else ""
