"""Which text nodes and images of a page's tree belong to a document that was read from it?"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, cast

from haenyeo.html.blocks import MAX_PATH
from haenyeo.html.guard import guarded_tree
from haenyeo.html.inline import is_drawn_behind
from haenyeo.html.quick import mended, opened
from haenyeo.model.pages import Block
from haenyeo.read.listings import without_line_numbers
from haenyeo.read.page.places import tag_of
from haenyeo.read.title import MARKS


def _words(names: str) -> frozenset[str]:
    return frozenset(names.split())


BLOCK_TAGS = _words(
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure"
    " footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol optgroup option p"
    " plaintext pre search section summary table tbody td tfoot th thead tr ul"
)
HIDDEN = _words("annotation head iframe noembed noframes noscript script style svg template textarea title xmp")

_IMAGE = ("img",)
_UNTOLD = "?"  # an image that has no alternative text, which says nothing; an empty one says that it decorates
_PORTRAIT = "avatar"
_TELLING = _words("a figure picture")
_ANYWHERE: tuple[str, ...] = ()
_NEAR = 2  # runs
_CAPTION = 2  # runs beside an image that may be left out without it
_WHITE = re.compile(r"[\s\0-\x1f]+")  # blocks have blanks for control characters
_LONG_PATH = MAX_PATH // 2  # characters
_FOLLOWING, _SOME = 12, 3  # blocks that follow one, and how many of them may stand before it by chance


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
    return _kept(html, blocks) or (_kept(opened(mended(html)), blocks) if blocks else None)


def _kept(html: str, blocks: Sequence[Block]) -> KeptNodes | None:
    root = guarded_tree(html).root
    if root is None:
        return None
    runs = list(_runs(cast("Iterable[Any]", cast("Any", root).traverse(include_text=True))))
    found = list(_of_the_text(runs, blocks))
    if not found:
        return None
    around: set[int] = set()
    for node in found:
        parent = node.parent
        while parent is not None and parent.mem_id not in around:
            around.add(parent.mem_id)
            parent = parent.parent
    return KeptNodes(root, frozenset(node.mem_id for node in found), frozenset(around))


def _of_the_text(runs: Sequence[_Run], blocks: Sequence[Block]) -> Iterator[Any]:
    """The nodes of the runs that are the document's blocks, and the images between them."""
    chosen = _chosen(runs, blocks)
    shown = set(chosen)
    between = range(chosen[0], chosen[-1] + 1) if chosen else range(0)
    images = [number for number in between if runs[number].tags == _IMAGE and _is_beside(number, shown)]
    shown.update(set(images) - _elsewhere(runs, images, shown) if images else ())
    for number in between:
        if number in shown:
            yield from runs[number].nodes


def _is_beside(image: int, shown: set[int]) -> bool:
    """Whether no more than a few runs part an image from the text: else it belongs to what was left out."""
    return not shown.isdisjoint(range(image - _NEAR, image + _NEAR + 1))


def _elsewhere(runs: Sequence[_Run], images: Sequence[int], shown: set[int]) -> set[int]:
    """The images in a part of the page that has texts of which none is shown: the logo above a menu."""
    texts, kept = Counter[int](), set[int]()
    for number, run in enumerate(runs):
        if run.tags != _IMAGE:
            around = [element.mem_id for element in _elements_around(run.nodes[0])]
            texts.update(around)
            kept.update(around if number in shown else ())

    def is_left_out(image: int) -> bool:
        parts = [element.mem_id for element in _elements_around(runs[image].nodes[0])]
        return any(texts[part] > _CAPTION and part not in kept for part in parts)

    return set(filter(is_left_out, images))


def _elements_around(node: Any) -> Iterator[Any]:
    parent = node.parent
    while parent is not None:
        yield parent
        parent = parent.parent


def _chosen(runs: Sequence[_Run], blocks: Sequence[Block]) -> list[int]:
    """The numbers of the runs that are blocks, in order: of each block the first behind that of the block before."""
    places: dict[tuple[tuple[str, ...], str], list[int]] = {}
    for number, run in enumerate(runs):
        if run.tags != _IMAGE:
            text = "".join([node.text_content or "" for node in run.nodes if node.tag == "-text"])
            text = without_line_numbers(text.strip("\n")) if "pre" in run.tags else text
            for tags in {run.tags, run.tags[-1:], _ANYWHERE}:
                places.setdefault((tags, _solid(text)), []).append(number)
    wanted = [places.get(key) or places.get((_ANYWHERE, key[1]), []) for key in map(_key, blocks)]
    chosen: list[int] = []
    for number, known in enumerate(wanted):
        last = chosen[-1] if chosen else -1
        at = bisect_right(known, last)
        if at < len(known) and not _is_too_far(last, known[at], wanted[number + 1 : number + 1 + _FOLLOWING]):
            chosen.append(known[at])
    return chosen


def _key(block: Block) -> tuple[tuple[str, ...], str]:
    """Tags and text of a block; of a path so long that steps may be missing in it only the last tag.

    That, too, may be missing, and classes may have the sign in them that stands between steps: then no run has the key.
    """
    tags = tuple(map(tag_of, block.path.split(">"))) if block.path else ()
    return tags[-1:] if len(block.path) > _LONG_PATH else tags, _solid(block.text)


def _is_too_far(last: int, place: int, following: Sequence[list[int]]) -> bool:
    """Whether a block must be missing among the runs, for some that follow it stand before the place found for it.

    Blocks of the same text stand at one place there: the dates of all posts of a day say no more than one of them.
    """
    if place - last <= 1:
        return False
    firsts = [known[at] for known in following if (at := bisect_right(known, last)) < len(known)]
    before = {first for first in firsts if first < place}
    return len(before) > _SOME


def _solid(text: str) -> str:
    """A text without white space, and without the signs that link to it."""
    return _WHITE.sub("", text).strip(MARKS)


def _runs(nodes: Iterable[Any]) -> Iterator[_Run]:
    """The runs of a page in order; an image outside of any is one of its own, unless it decorates or leads back up.

    The walk meets no end tags: that a block has ended shows when a node has another block around it.
    """
    run: _Run | None = None
    around = -1
    above: set[str | None] = set()
    for node in nodes:
        tag = node.tag
        if tag != "-text":
            above.update((node.attributes.get("id"), node.attributes.get("name")))
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
                yield from [] if _decorates(node) or _leads_to(node, above) else [_Run(_IMAGE, [node])]
        elif tag in BLOCK_TAGS:
            yield from [run] if run else []
            run = None
    yield from [run] if run else []


def _decorates(image: Any) -> bool:
    """Whether a page says of an image that there is nothing to tell of it, and nothing is told around it either.

    Small portraits of members stand beside all that they have written.
    """
    named = (image, *([image.parent] if image.parent is not None else []))
    if any(_PORTRAIT in (element.attributes.get("class") or "").lower() for element in named):
        return True
    if (image.attributes.get("alt", _UNTOLD) or "").strip():
        return False
    return not any(element.tag in _TELLING for element in _elements_around(image))


def _leads_to(image: Any, places: Collection[str | None]) -> bool:
    """Whether an image is a link to one of these places of its own page: an arrow back to the top."""
    link = next((element for element in _elements_around(image) if element.tag == "a"), None)
    target = (link.attributes.get("href") or "") if link is not None else ""
    return target.startswith("#") and target[1:] in places


def _block_around(node: Any) -> Any:
    """The nearest block around a text node; None if the node is not shown."""
    block, parent = None, node.parent
    while parent is not None:
        if parent.tag in HIDDEN or (parent.tag == "math" and is_drawn_behind(parent)):
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
