"""The blocks of Kim and Kim, "HTML Text Extraction Using Frequency Analysis" (2021) §III: the text nodes of a page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, cast

from haenyeo.html.guard import guarded_tree

DROPPED = ("head", "footer", "header", "script", "style", "link", "iframe", "a", "em")
"""What the paper removes before it counts."""
_NEVER_TEXT = ("script", "style", "template", "noscript", "head")


class TextNode(NamedTuple):
    """A text node, whether it stands in a link, and the tags above it, the innermost first."""

    text: str
    linked: bool
    tags: tuple[str, ...] = ()

    @property
    def is_plain(self) -> bool:
        """Whether it is outside of all elements that the paper drops."""
        return not any(tag in DROPPED for tag in self.tags)


def plain_nodes(html: str, dropped: Sequence[str] = DROPPED) -> list[str]:
    """The text nodes of a page without the elements that are dropped."""
    tree = guarded_tree(html)
    tree.strip_tags(list(dropped), recursive=True)
    return [text for node in _text_nodes(tree.root) if (text := _squeezed(node))]


def all_nodes(html: str) -> list[TextNode]:
    """All text nodes of a page that are shown."""
    tree = guarded_tree(html)
    tree.strip_tags(list(_NEVER_TEXT), recursive=True)
    nodes = ((text, _tags(node)) for node in _text_nodes(tree.root) if (text := _squeezed(node)))
    return [TextNode(text, "a" in tags, tags) for text, tags in nodes]


def _text_nodes(root: Any) -> Iterable[Any]:
    if root is None:
        return ()
    return (node for node in cast("Iterable[Any]", root.traverse(include_text=True)) if node.tag == "-text")


def _squeezed(node: Any) -> str:
    return " ".join((node.text_content or "").split())


def _tags(node: Any) -> tuple[str, ...]:
    tags = []
    parent = node.parent
    while parent is not None:
        tags.append(parent.tag)
        parent = parent.parent
    return tuple(tags)
