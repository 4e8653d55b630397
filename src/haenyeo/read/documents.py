"""Puts together what a page says: from its blocks, which of them are text, and the facts in its markup."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from haenyeo import native
from haenyeo.model.pages import Block, Document, Dropped, Markup, Post, Url
from haenyeo.read.dates import SeenDates, date_in_address, names_many_days, seen_dates
from haenyeo.read.facts import Facts
from haenyeo.read.language import TELLING, language_of
from haenyeo.read.listings import without_line_numbers
from haenyeo.read.page.places import is_code, tag_of
from haenyeo.read.posts import posts_of
from haenyeo.read.products import product_of
from haenyeo.read.site.reading import COMMENT, TEMPLATE, SiteReading
from haenyeo.read.title import MARKS, naming_host, title_of, without_mark

COMPILED = native.load("reading")

_CLOSE = frozenset({"caption", "dd", "dt", "li", "option", "td", "th", "tr"})
_MOST_PATHS = 1 << 13
_UNDATED = frozenset({"product", "landing"})  # the dates that readers see there are those of other things
_UNSEEN = " \u00ad\u034f\u061c\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"
_IS_CLOSE: dict[str, bool] = {}


def document_of(
    url: Url, markup: Markup, reading: SiteReading, facts: Facts, *, duplicate: bool = False, kind: str = ""
) -> Document:
    """All that is known of a page that has been read."""
    kept = _cleaned_blocks(list(itertools.compress(markup.blocks, reading.kept)))
    left = list(map(operator.not_, reading.kept))
    dropped = tuple(map(Dropped, itertools.compress(markup.blocks, left), itertools.compress(reading.reasons, left)))
    text = text_of(kept)
    dates = dates_of(url, markup.blocks, reading.kept, facts, kind)
    posts = posts_in(markup, reading.kept, kind)
    title = _title(markup, facts, reading, url)
    return Document(
        url=url,
        title=title,
        text=text,
        language=language_of(markup.language, prose_of(kept) or text),
        author=facts.author,
        published=dates.published,
        published_by=dates.published_by,
        modified=dates.modified,
        modified_by=dates.modified_by,
        description=facts.description,
        site_name=facts.site_name,
        licence=facts.licence,
        canonical=markup.canonical,
        posts=posts,
        product=product_of(facts, kind, title),
        comments="" if posts else text_of([drop.block for drop in dropped if drop.reason == COMMENT]),
        facts=facts.all,
        blocks=kept,
        dropped=dropped,
        duplicate=duplicate,
        kind=kind,
    )


def posts_in(markup: Markup, kept: Sequence[bool], kind: str) -> tuple[Post, ...]:
    """The posts of a page of this kind whose text are the `kept` blocks; only threads have any."""
    found = posts_of(markup, kept) if kind == "thread" else ()
    return tuple(
        [
            Post(
                author=post.author,
                published=post.published,
                text=cleaned_text_of([markup.blocks[number] for number in post.blocks]),
            )
            for post in found
        ]
    )


def prose_of(blocks: Sequence[Block]) -> str:
    """The beginning of the text without code, which tells nothing of the language that people read."""
    pieces, length = [], 0
    for block in blocks:
        if "pre" not in block.path or not is_code(block.path):
            pieces.append(block.text)
            length += len(block.text)
            if length >= TELLING:
                break
    return "\n".join(pieces)


def _cleaned_blocks(blocks: Iterable[Block]) -> tuple[Block, ...]:
    """The blocks without what is no text in them; some editors leave paragraphs of signs that nobody sees."""
    seen = [block for block in blocks if block.text[:1] not in _UNSEEN or block.text.strip(_UNSEEN)]
    return tuple([_cleaned(block) if block.linked or "\n" in block.text else block for block in seen])


def _cleaned(block: Block) -> Block:
    """The block without the sign that links to its heading, or the numbers of its lines of code."""
    if "\n" in block.text and "pre" in block.path and is_code(block.path):
        code = without_line_numbers(block.text)
        return block if code == block.text else msgspec.structs.replace(block, text=code)
    if not block.linked or (block.text[-1] not in MARKS and block.text[0] not in MARKS):
        return block
    text = without_mark(block.text)
    return block if text == block.text else msgspec.structs.replace(block, text=text)


def _title(markup: Markup, facts: Facts, reading: SiteReading, url: Url) -> str:
    common = [number for number, reason in enumerate(reading.reasons) if reason == TEMPLATE]
    whole, said, site = markup.title or facts.title, facts.title, facts.site_name
    host = naming_host(url)
    title = title_of(whole, markup.blocks, said=said, site=site, common=common, repeated=reading.names, host=host)
    # Short texts that differ in their numbers only count as one, and may be titles of their own.
    numbered = {number for number in common if any(map(str.isdigit, markup.blocks[number].text))}
    if not numbered or title in {block.text for block in markup.blocks}:
        return title
    own = set(common) - numbered
    return title_of(whole, markup.blocks, said=said, site=site, common=own, repeated=reading.names, host=host)


class PageDates(NamedTuple):
    """When a page was published and modified, in ISO 8601, each with where that was found."""

    published: str = ""
    published_by: str = ""
    modified: str = ""
    modified_by: str = ""


def dates_of(url: Url, blocks: Sequence[Block], kept: Sequence[bool], facts: Facts, kind: str) -> PageDates:
    """The dates of a page whose text are the `kept` blocks: what machines are told goes before what readers see."""
    dates = PageDates(facts.published, facts.published_by, facts.modified, facts.modified_by)
    of_others = kind in _UNDATED or (kind == "list" and names_many_days(blocks))
    if of_others and dates.published_by == "time":
        dates = dates._replace(published="", published_by="")
    if dates.published:
        return dates
    seen = SeenDates() if of_others else seen_dates(blocks, kept)
    if seen.modified and not dates.modified:
        dates = dates._replace(modified=seen.modified, modified_by="text")
    if seen.published:
        return dates._replace(published=seen.published, published_by="text")
    day = date_in_address(url)
    return dates._replace(published=day.isoformat(), published_by="url") if day else dates


def cleaned_text_of(blocks: Iterable[Block]) -> str:
    """The text of blocks that were kept, without what is no text in them."""
    return text_of(_cleaned_blocks(blocks))


def text_of(blocks: Sequence[Block]) -> str:
    """The text of blocks: a line each, an empty line between paragraphs, none within lists and tables."""
    if COMPILED is not None:
        text: str = COMPILED.joined(blocks, _IS_CLOSE, _is_close)
        return text
    return text_in_python(blocks)


def text_in_python(blocks: Sequence[Block]) -> str:
    """The same as `text_of`, without compiled code."""
    pieces: list[str] = []
    close_before = False
    for block in blocks:
        close = _IS_CLOSE.get(block.path)
        if close is None:
            close = _is_close(block.path)
        pieces += ("\n" if close and close_before else "\n\n", block.text)
        close_before = close
    return "".join(pieces[1:])


def _is_close(path: str) -> bool:
    """Whether this path leads into a list or a table; cached, because it is asked for every block."""
    if len(_IS_CLOSE) >= _MOST_PATHS:
        _IS_CLOSE.clear()
    close = _IS_CLOSE[path] = any(tag_of(step) in _CLOSE for step in path.split(">")[-2:])
    return close
