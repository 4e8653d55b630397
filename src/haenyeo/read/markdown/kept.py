"""Which text nodes and images of a page's tree belong to a document that was read from it?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, cast

from haenyeo.html.guard import guarded_tree
from haenyeo.html.quick import opened
from haenyeo.model.pages import Block
from haenyeo.read.page.places import tag_of


def _words(names: str) -> frozenset[str]:
    return frozenset(names.split())


BLOCK_TAGS = _words(
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure"
    " footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol optgroup option p"
    " plaintext pre search section summary table tbody td tfoot th thead tr ul"
)
HIDDEN = _words("head iframe noembed noframes noscript script style svg template textarea title xmp")

_LOOK_AHEAD = 40  # blocks that may be missing among the runs without losing the place


class KeptNodes(NamedTuple):
    """The tree of a page, and the numbers of its nodes that are shown and of all elements around them."""

    root: Any
    shown: frozenset[int]
    around: frozenset[int]


class _Run(NamedTuple):
    """Text nodes between the borders of blocks, with the tags and the node of the element around them."""

    tags: tuple[str, ...]
    nodes: list[Any]


def kept_nodes(html: str, blocks: Sequence[Block]) -> KeptNodes | None:
    """The nodes of a page that are a document's blocks, and the images between them; None if there are none."""
    return _kept(html, blocks) or (_kept(opened(html), blocks) if blocks else None)


def _kept(html: str, blocks: Sequence[Block]) -> KeptNodes | None:
    root = guarded_tree(html).root
    if root is None:
        return None
    found = list(_of_the_text(_runs(cast("Iterable[Any]", cast("Any", root).traverse(include_text=True))), blocks))
    if not found:
        return None
    around: set[int] = set()
    for node in found:
        parent = node.parent
        while parent is not None and parent.mem_id not in around:
            around.add(parent.mem_id)
            parent = parent.parent
    return KeptNodes(root, frozenset(node.mem_id for node in found), frozenset(around))


def _of_the_text(runs: Iterable[_Run], blocks: Sequence[Block]) -> Iterator[Any]:
    """The nodes of the runs that are the document's blocks, and the images between them."""
    keys = [(tuple(map(tag_of, block.path.split(">"))) if block.path else (), _solid(block.text)) for block in blocks]
    place = 0
    waiting: list[Any] = []
    for run in runs:
        if run.tags == ("img",):
            waiting += run.nodes if 0 < place < len(keys) else []
            continue
        text = _solid("".join([node.text_content or "" for node in run.nodes if node.tag == "-text"]))
        ahead = keys[place : place + _LOOK_AHEAD]
        number = next((at for at, key in enumerate(ahead) if key[0] == run.tags and _same(text, key[1])), -1)
        if number >= 0:
            place += number + 1
            yield from waiting
            waiting = []
            yield from run.nodes


def _same(found: str, wanted: str) -> bool:
    """Whether these are the same text; the sign that links to a heading may be missing."""
    return found == wanted or (len(found) - len(wanted) in (1, 2) and wanted in found)


def _solid(text: str) -> str:
    return "".join(text.split())


def _runs(nodes: Iterable[Any]) -> Iterator[_Run]:
    """The runs of a page in order; an image outside of any is one of its own.

    The walk meets no end tags: that a block has ended shows when a node has another block around it.
    """
    run: _Run | None = None
    around = -1
    for node in nodes:
        tag = node.tag
        if tag == "-text":
            block = _block_around(node)
            if block is None or (run is None and (node.text_content or " ").isspace()):
                continue
            if run is None or block.mem_id != around:
                yield from [run] if run else []
                run, around = _Run(_tags(block), []), block.mem_id
            run.nodes.append(node)
        elif tag == "img" and node.attributes.get("src"):
            block = _block_around(node)
            if run is not None and block is not None and block.mem_id == around:
                run.nodes.append(node)
            elif block is not None:
                yield from [run] if run else []
                run = None
                yield _Run(("img",), [node])
        elif tag in BLOCK_TAGS:
            yield from [run] if run else []
            run = None
    yield from [run] if run else []


def _block_around(node: Any) -> Any:
    """The nearest block around a text node; None if the node is not shown."""
    block, parent = None, node.parent
    while parent is not None:
        if parent.tag in HIDDEN:
            return None
        if block is None and parent.tag in BLOCK_TAGS:
            block = parent
        parent = parent.parent
    return block


def _tags(block: Any) -> tuple[str, ...]:
    tags = []
    while block is not None:
        if block.tag in BLOCK_TAGS and block.tag not in {"html", "body"}:
            tags.append(block.tag)
        block = block.parent
    return tuple(reversed(tags))
