"""What a page is made of once it has been read: text blocks, links, and what its head says."""

from __future__ import annotations

from typing import Any, NewType

import msgspec

Url = NewType("Url", str)
"""An absolute http or https address in the WHATWG serialisation, without fragment."""

Score = NewType("Score", float)
"""0 (worthless) to 1 (certain)."""


KINDS = ("article", "documentation", "thread", "product", "list", "landing")
"""Kinds of pages that are told apart: a thread is that of a forum or of questions and answers."""


class Block(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A run of text between the borders of block elements.

    `path` is the way from body to the block through tags and classes, such as `div.content>ul.list>li`;
    `linked` counts the characters of `text` that stand inside links. `signs` are what the elements on the way say
    besides their classes, from the outermost on, with blanks between: `#id`, `@role`, `@itemprop`, and `!hidden`.
    """

    text: str
    path: str
    linked: int = 0
    signs: str = ""


class Outlink(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A link and where it stands: its words are `blocks[block].text[start:end]`.

    `block` is -1 for a link outside any text (an image, a frame, a link in the head); `label` then has the image's
    alternative text or the link's title.
    """

    url: Url
    rel: str = ""
    block: int = -1
    start: int = 0
    end: int = 0
    label: str = ""


class Markup(msgspec.Struct, frozen=True, kw_only=True):
    """All that one pass over a page's tree yields.

    `links` are in page order, absolute, only http(s), without fragments, repeats kept; `base` is the address they were
    resolved against; `robots` are the lower-case words of meta robots, `robots_for` those for crawlers of some
    lower-case name; `refresh` is the target of a meta refresh; `feeds` the addresses of feeds named in the head; `utf8`
    has the text of all blocks, one a line, half characters replaced; `cut` says which guard shortened the page before
    parsing, if any. `types` are what the page says it is: types of schema.org in lower case, and that of OpenGraph
    after `og:`.
    """

    title: str = ""
    language: str = ""
    canonical: Url | None = None
    base: Url
    robots: frozenset[str] = frozenset()
    robots_for: dict[str, frozenset[str]] = {}
    refresh: Url | None = None
    feeds: tuple[Url, ...] = ()
    blocks: tuple[Block, ...] = ()
    links: tuple[Outlink, ...] = ()
    utf8: bytes = b""
    cut: str = ""
    types: frozenset[str] = frozenset()

    @property
    def text(self) -> str:
        """The text of all blocks, one a line."""
        return self.utf8.decode()


class Link(msgspec.Struct, frozen=True, kw_only=True):
    """A link with the words around it, as a scorer sees it."""

    url: Url
    source: Url | None = None
    anchor: str = ""
    before: str = ""
    after: str = ""
    paragraph: str = ""
    path: str = ""
    rel: str = ""


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """A page of a collection; `relevance` is None when nobody judged it."""

    url: Url
    title: str = ""
    text: str = ""
    language: str = ""
    site: str = ""
    depth: int = 0
    relevance: float | None = None


class Dropped(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A block that is not the page's text, and why."""

    block: Block
    reason: str


class Post(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One post of a thread, or one review of a product.

    `author` and `published`, a day in ISO 8601, are empty where the page does not tell.
    """

    author: str = ""
    published: str = ""
    text: str = ""


class Product(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a shop says of a product for machines, as it says it; all of it may be empty.

    `price` is the lowest of several offers; `availability` is a word of schema.org such as `InStock`; `rating` is the
    mean of so many `ratings`; `reviews` are those in the page's data, often only the first of all.
    """

    name: str = ""
    brand: str = ""
    sku: str = ""
    price: str = ""
    currency: str = ""
    availability: str = ""
    rating: str = ""
    ratings: str = ""
    reviews: tuple[Post, ...] = ()


class Document(msgspec.Struct, frozen=True, kw_only=True):
    """What a page says: its main text and the facts about it.

    `text` has a line for each block and an empty line between paragraphs; `markdown` is there if it was asked for.
    `blocks` are those of the text, `dropped` all others. `author`, dates (ISO 8601) and so on are what the page says
    of itself; `published_by` and `modified_by` say where the dates were found: json-ld, meta, microdata, time, text
    or url; `licence` is the address of its licence. `facts` has its JSON-LD, OpenGraph and microdata as they are.
    `images` and `links` stand in the text. `comments` are what readers wrote below it; `posts` are those of a thread,
    in order, where they could be told apart; `product` is what a shop's page says of its product. `duplicate` marks a
    page that hardly differs from another of its site; `duplicate_of` is the page of any site that it is a near copy
    of, where exports were asked to tell. `kind` is one of `KINDS`, or empty where nobody looked.
    """

    url: Url
    title: str = ""
    text: str = ""
    markdown: str = ""
    language: str = ""
    author: str = ""
    published: str = ""
    published_by: str = ""
    modified: str = ""
    modified_by: str = ""
    description: str = ""
    site_name: str = ""
    licence: str = ""
    canonical: Url | None = None
    images: tuple[Url, ...] = ()
    links: tuple[Url, ...] = ()
    comments: str = ""
    posts: tuple[Post, ...] = ()
    product: Product | None = None
    facts: dict[str, Any] = {}
    blocks: tuple[Block, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    duplicate: bool = False
    duplicate_of: Url | None = None
    kind: str = ""
