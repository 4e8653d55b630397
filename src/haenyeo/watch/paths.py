"""The ways from a page's body to its elements, through tags and classes, and how often each is gone.

Elements with the same way share one `Path`. Paths refer to the path around them by number, so that a page of thousands
of elements becomes a few hundred short rows.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

import msgspec
from selectolax.lexbor import LexborHTMLParser

from haenyeo.html.guard import guarded_tree

MAX_PATHS = 20_000
"""Different paths of one page that are kept; elements of further ones are passed over with what is in them."""
MAX_STEPS = 150
"""Steps of a path; elements further in are passed over."""
LONG_TEXT = 50
"""Characters from which on a text counts no more: a long paragraph is one piece of data, as a short date is."""


class Path(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One way through the page.

    `around` is the number of the path one step shorter (the body's own is -1), `tag` and `classes` are the last step.
    `elements` were reached by it, in `holders` different elements around them; `texts` stand directly in them and have
    `weight` characters, long ones counted in part.
    """

    around: int
    tag: str
    classes: str = ""
    elements: int = 0
    holders: int = 0
    texts: int = 0
    weight: int = 0


def _numbers(names: str) -> frozenset[int]:
    """The numbers that lexbor gives to elements of these names."""
    tree = LexborHTMLParser("")
    return frozenset(cast("Any", tree.create_node(name)).tag_id for name in names.split())


_TEXT: int = cast("Any", LexborHTMLParser("text").body).first_child.tag_id
_PASSED = _numbers("script style noscript template svg head iframe option title textarea") | {
    cast("Any", LexborHTMLParser("<body><!-- -->").body).first_child.tag_id
}


def page_paths(html: str) -> tuple[Path, ...]:
    """The paths of a page, the body's first, each after the path around it; (body,) when there is nothing in it."""
    counts: list[list[int]] = [[-1, 1, 1, 0, 0, 0, 0]]  # around, elements, holders, texts, weight, last holder, steps
    steps: list[tuple[str, str]] = [("body", "")]
    body = guarded_tree(html).body
    if body is not None:
        _walk(body, counts, steps)
    return tuple(
        Path(around, tag, classes, elements, holders, texts, weight)
        for (around, elements, holders, texts, weight, *_), (tag, classes) in zip(counts, steps, strict=True)
    )


def _walk(body: Any, counts: list[list[int]], steps: list[tuple[str, str]]) -> None:
    """Count each element under its path. This loop is most of a description's cost, so it calls little."""
    numbers: dict[tuple[int, int, str], int] = {}
    number_of: dict[int, int] = {body.mem_id: 0}
    known = number_of.get
    for node in cast("Iterable[Any]", body.traverse(include_text=True)):
        holder = node.parent.mem_id
        around = known(holder)
        if around is None:
            continue
        tag = node.tag_id
        if tag == _TEXT:
            text = node.text_content
            if not text.isspace():
                count = counts[around]
                count[3] += 1
                count[4] += min(len(text.strip()), LONG_TEXT)
        elif tag not in _PASSED:
            classes = node.attributes.get("class") or ""
            key = (around, tag, classes)
            number = numbers.get(key)
            if number is None:
                length = counts[around][6] + 1
                if len(counts) >= MAX_PATHS or length > MAX_STEPS:
                    continue
                number = numbers[key] = len(counts)
                counts.append([around, 0, 0, 0, 0, 0, length])
                steps.append((node.tag, classes))
            number_of[node.mem_id] = number
            count = counts[number]
            count[1] += 1
            if count[5] != holder:
                count[2] += 1
                count[5] = holder
