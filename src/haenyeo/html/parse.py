"""A page in one pass: its text in blocks, its links and where they stand in the text, and what its head says.

The tree is built once and walked once, in document order. The walk meets no end tags: that a block has ended shows when
a text has another block around it than the text before. What is around an element (its block, the way to the block, the
link it is in) is kept under the element's number and found there by its children.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, cast

import msgspec
from selectolax.lexbor import LexborHTMLParser

from haenyeo.html.blocks import MAX_CLASSES, FoundLink, GatheredText, first_classes, path_to, signs_to
from haenyeo.html.charset import UTF8, decoded, is_plain_utf8
from haenyeo.html.guard import OPTIONS, guarded
from haenyeo.html.head import PageHead, said_types
from haenyeo.html.inline import APART, is_drawn_behind, runs_on
from haenyeo.html.links import outlinks
from haenyeo.html.quick import characters, noscript_links, scanned, with_hidden_text
from haenyeo.model.pages import Markup, Url

MAX_LINKS = 100_000
"""Links of one page that are kept."""

_Around = tuple[int, tuple[str, str], int]
"""What is around the children of an element: the nearest block's number, its path and signs; the link they are in."""

_NO_LINK = -1
_NOWHERE, _UNSEEN = -2, -1  # instead of the number of a block
_OUTSIDE: _Around = (0, ("", ""), _NO_LINK)


def _numbered(names: str) -> dict[int, str]:
    """The names of elements by the numbers that lexbor gives them."""
    tree = LexborHTMLParser("")
    return {cast("Any", tree.create_node(name)).tag_id: name for name in names.split()}


_TEXT: int = cast("Any", LexborHTMLParser("text").body).first_child.tag_id
# Elements that part the text before them from the text in them and behind them; body and html are no steps of a path.
_BLOCKS = _numbered(
    "address article aside blockquote caption center dd details dialog dir div dl dt fieldset figcaption figure footer"
    " form h1 h2 h3 h4 h5 h6 header hgroup hr legend li listing main menu nav ol optgroup option p plaintext pre search"
    " section summary table tbody td tfoot th thead tr ul"
) | dict.fromkeys(_numbered("body html"), "")
_SIGNING = frozenset({"id", "role", "itemprop", "style", "hidden"})
_VERBATIM = _numbered("listing plaintext pre")
(_LINE_BREAK,) = _numbered("br")
(_LINK,) = _numbered("a")
_APART = frozenset(_numbered(" ".join(APART)))


def parse_page(body: bytes, url: Url, content_type: str = "") -> Markup:
    """All that one pass over a page yields, from the bytes of an answer and its Content-Type."""
    read = characters(body)
    if read >= 0 and is_plain_utf8(body, read, content_type):
        found = with_hidden_text(_parsed_utf8(body, url), body, lambda page: _parsed_utf8(page, url))
        return _typed(found, body)
    text, codec = decoded(body, content_type or None)
    return parse_html(text, url, codec)


def _parsed_utf8(body: bytes, url: Url) -> Markup:
    return scanned(body, url) or scanned_in_python(body.decode(), url)


def parse_html(html: str, url: Url, codec: str = UTF8) -> Markup:
    """All that one pass over a page yields, from its text; whatever the text is, nothing is raised.

    Scripts are taken to run, as they do for most readers: what stands in noscript is no text, but its links count;
    unless hardly any text stands elsewhere. The page was written in the charset of the `codec`, and so are the queries
    of its links.
    """

    def parsed(page: str) -> Markup:
        return scanned(page, url, codec=codec) or scanned_in_python(page, url, codec)

    return _typed(with_hidden_text(parsed(html), html, parsed), html)


def parse_text(html: str, url: Url) -> Markup:
    """The same as `parse_html` without the links, whose addresses are a good part of the work."""

    def parsed(page: str) -> Markup:
        return scanned(page, url, linked=False) or scanned_in_python(page, url, linked=False)

    return _typed(with_hidden_text(parsed(html), html, parsed), html)


def _typed(found: Markup, page: str | bytes) -> Markup:
    types = said_types(page)
    return msgspec.structs.replace(found, types=types) if types else found


def scanned_in_python(html: str, url: Url, codec: str = UTF8, *, linked: bool = True) -> Markup:
    """The same as `parse_html`, by a walk over the page's tree; without links if they are not wanted."""
    html, cut = guarded(html)
    walk = _Walk(codec)
    walk.read(LexborHTMLParser(html, options=OPTIONS, scripting=True))
    return walk.markup(url, cut, linked=linked)


class _Walk:
    """What has been found of one page so far."""

    def __init__(self, codec: str) -> None:
        self._codec = codec
        self.head = PageHead(codec)
        self.text = GatheredText()
        self.links: list[FoundLink] = []
        self._around: dict[int, _Around] = {}
        self._verbatim: set[int] = set()

    def read(self, tree: LexborHTMLParser) -> None:  # noqa: C901 - a call for each kind of node costs a tenth more
        """Walk the tree. This loop is most of a page's cost, so it calls little and keeps its state at hand."""
        gathered, around, known = self.text, self._around, self._around.get
        pieces, starts = gathered.pieces, gathered.starts
        length, block, last = 0, _NOWHERE, None
        for node in cast("Iterable[Any]", cast("Any", tree.root).traverse(include_text=True)):
            tag = node.tag_id
            if tag == _TEXT:
                parent = node.parent
                number, place, link = known(parent.mem_id) or self._look_up(parent)
                if number == _UNSEEN:
                    continue
                text = node.text_content or " "
                if not text.isspace():
                    if number != block:
                        block = number
                        pieces.append(" ")
                        length += 1
                        self._begin_block(number, place, length)
                    elif number not in self._verbatim and _stands_apart(last, parent, pieces[-1][-1:] + text[0]):
                        pieces.append(" ")
                        length += 1
                    last = parent
                    if link != _NO_LINK:
                        gathered.marks.append((link, len(starts) - 1, length, length + len(text)))
                pieces.append(text)
                length += len(text)
            elif tag in _BLOCKS:
                parent = node.parent
                number, place, link = known(parent.mem_id) or self._look_up(parent)
                if number != _UNSEEN:
                    block = _NOWHERE
                    number = node.mem_id
                    around[number] = (number, _place_inside(place, _BLOCKS[tag], node.attributes), link)
                    if tag in _VERBATIM:
                        self._verbatim.add(number)
            elif tag == _LINE_BREAK:
                pieces.append("\n")
                length += 1
            elif tag in _READERS:
                _READERS[tag](self, node)
        self.head.note_html(cast("Any", tree.root).attributes)

    def _begin_block(self, number: int, place: tuple[str, str], start: int) -> None:
        if number in self._verbatim:
            self.text.verbatim.append(len(self.text.starts))
        self.text.starts.append(start)
        self.text.paths.append(place[0])
        self.text.signs.append(place[1])

    def _look_up(self, node: Any) -> _Around:
        """What is around the children of an inline element: what is around the element itself."""
        passed = []
        around = None
        while around is None:
            passed.append(node.mem_id)
            node = node.parent
            around = self._around.get(node.mem_id) if node is not None else _OUTSIDE
        self._around.update(dict.fromkeys(passed, around))
        return around

    def hide(self, node: Any) -> None:
        self._around[node.mem_id] = (_UNSEEN, ("", ""), _NO_LINK)

    def read_anchor(self, node: Any) -> None:
        attributes = node.attributes
        href = attributes.get("href")
        if href is not None and len(self.links) < MAX_LINKS:
            parent = node.parent
            number, place, _ = self._around.get(parent.mem_id) or self._look_up(parent)
            self._around[node.mem_id] = (number, place, len(self.links))
            self.links.append(FoundLink(href, attributes.get("rel"), attributes.get("title")))

    def _add_link(self, href: str | None, rel: str | None, title: str | None) -> None:
        """Note a link that has no text in the page."""
        if href is not None and len(self.links) < MAX_LINKS:
            self.links.append(FoundLink(href, rel, title))

    def read_formula(self, node: Any) -> None:
        if is_drawn_behind(node):
            self.hide(node)
        for source in node.css("annotation"):
            self.hide(source)

    def read_image(self, node: Any) -> None:
        parent = node.parent
        link = (self._around.get(parent.mem_id) or self._look_up(parent))[2]
        if link != _NO_LINK and not self.links[link].alt:
            self.links[link].alt = node.attributes.get("alt")

    def read_area(self, node: Any) -> None:
        attributes = node.attributes
        self._add_link(attributes.get("href"), attributes.get("rel"), attributes.get("alt") or attributes.get("title"))

    def read_frame(self, node: Any) -> None:
        self.hide(node)
        attributes = node.attributes
        self._add_link(attributes.get("src"), None, attributes.get("title"))

    def read_noscript(self, node: Any) -> None:
        self.hide(node)
        content = node.text()
        if "href" in content.lower():
            for link in noscript_links(content):
                self._add_link(*link)

    def read_title(self, node: Any) -> None:
        if self._look_up(node)[0] != _UNSEEN:
            self.head.note_title(node.text())
        self.hide(node)

    def read_link(self, node: Any) -> None:
        attributes = node.attributes
        self.head.note_link(attributes)
        rel = (attributes.get("rel") or "").lower().split()
        if "next" in rel or "prev" in rel:
            self._add_link(attributes.get("href"), attributes["rel"], attributes.get("title"))

    def read_meta(self, node: Any) -> None:
        self.head.note_meta(node.attributes)

    def read_base(self, node: Any) -> None:
        self.head.note_base(node.attributes)

    def markup(self, url: Url, cut: str, *, linked: bool) -> Markup:
        """What was found, with addresses resolved."""
        base = self.head.base(url)
        blocks = self.text.blocks(self.links)  # and the links know where they stand
        utf8 = "\n".join([block.text for block in blocks]).encode(errors="replace")
        links = outlinks(self.links, base, self._codec) if linked else ()
        return self.head.markup(base, tuple(blocks), links, utf8, cut)


def _stands_apart(last: Any, holder: Any, border: str) -> bool:
    """Whether a text stands beside the element of the last one, in an element that a browser may show apart from it.

    `border` is the last character before the text and its first: it is parted only where two words would become one.
    """
    if last.tag_id not in _APART or holder.tag_id not in _APART:
        return False
    if not runs_on(border, between_links=last.tag_id == holder.tag_id == _LINK):
        return False
    return not _holds(last, holder) and not _holds(holder, last)


def _holds(outer: Any, node: Any) -> bool:
    while node is not None and node.mem_id != outer.mem_id:
        node = node.parent
    return node is not None


def _place_inside(place: tuple[str, str], name: str, said: dict[str, str | None]) -> tuple[str, str]:
    """Path and signs of a block element in the block that has those of `place`; body and html have no names."""
    if not name:
        return place
    path, signs = place
    classes = said.get("class") or ""
    if len(classes) > MAX_CLASSES:
        classes = first_classes(classes)
    if said.keys() & _SIGNING:
        own_name, role, prop, style = [said.get(attribute) or "" for attribute in ("id", "role", "itemprop", "style")]
        signs = signs_to(signs, own_name, role, prop, style, "hidden" in said)
    return path_to(path, name, classes), signs


_READERS: dict[int, Callable[[_Walk, Any], None]] = {
    tag: reader
    for names, reader in {
        "a": _Walk.read_anchor,
        "area": _Walk.read_area,
        "base": _Walk.read_base,
        "frame iframe": _Walk.read_frame,
        "img": _Walk.read_image,
        "link": _Walk.read_link,
        "math": _Walk.read_formula,
        "meta": _Walk.read_meta,
        "noembed noframes script style svg template textarea xmp": _Walk.hide,
        "noscript": _Walk.read_noscript,
        "title": _Walk.read_title,
    }.items()
    for tag in _numbered(names)
}
