"""A document as Markdown: headings, lists, tables, code, quotations, links and images."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from haenyeo.html.links import Resolver
from haenyeo.html.urls import resolve
from haenyeo.model.pages import Document, Url
from haenyeo.read.markdown.blocks import blocks_of, joined
from haenyeo.read.markdown.inline import ShownPage, source_of
from haenyeo.read.markdown.kept import KeptNodes, kept_nodes


def with_markdown(document: Document, html: str) -> Document:
    """The document with its Markdown and the links and images in its text, from the page it was read from."""
    kept = kept_nodes(html, document.blocks)
    if kept is None:
        return msgspec.structs.replace(document, markdown=document.text)
    base = _base_of(document, kept)
    page = ShownPage(kept.shown, kept.around, base)
    return msgspec.structs.replace(
        document,
        markdown=joined(blocks_of(kept.root, page)) or document.text,
        links=tuple(dict.fromkeys(_links(kept, base))),
        images=tuple(dict.fromkeys(_images(kept, base))),
    )


def _base_of(document: Document, kept: KeptNodes) -> Url:
    """Where relative addresses start: at the page, if that is known by an address, or where it says."""
    own = document.url if "://" in document.url else document.canonical or document.url
    said = kept.root.css_first("base[href]")
    return (resolve(own, said.attributes["href"] or "") if said is not None else None) or own


def _links(kept: KeptNodes, base: Url) -> Iterator[Url]:
    resolved = Resolver(base).literal
    for node in kept.root.css("a[href]"):
        if node.mem_id in kept.around and (link := resolved(node.attributes["href"] or "")):
            yield link


def _images(kept: KeptNodes, base: Url) -> Iterator[Url]:
    for node in _shown(kept, "img[src]"):
        if (source := source_of(node)) and (address := resolve(base, source)):
            yield address


def _shown(kept: KeptNodes, selector: str) -> Iterator[Any]:
    yield from (node for node in kept.root.css(selector) if node.mem_id in kept.shown)
