"""Puts together what a page says: from its blocks, which of them are text, and the facts in its markup."""

from __future__ import annotations

import re
from collections.abc import Sequence

from haenyeo import native
from haenyeo.model.pages import Block, Document, Dropped, Markup, Url
from haenyeo.read.facts import Facts
from haenyeo.read.page.places import tag_of
from haenyeo.read.site.reading import COMMENT, SiteReading

COMPILED = native.load("reading")

_CLOSE = frozenset({"caption", "dd", "dt", "li", "option", "td", "th", "tr"})
# Of scripts, what the characters' codes begin with; the row of kana has punctuation, too.
_HANGUL, _KANA_ROW, _HAN = bytes(range(0xAC, 0xD8)), b"\x30", bytes(range(0x4E, 0xA0))
_KANA = re.compile(r"[\u3040-\u30ff]")
_LEAST_SHARE = 0.1  # of a text's characters, that tells its language
_TELLING = 600  # characters of a text that tell its language
_SHORTEST_TITLE = 3
_MOST_PATHS = 1 << 13
_IS_CLOSE: dict[str, bool] = {}
_IS_HEADING: dict[str, bool] = {}


def document_of(url: Url, markup: Markup, reading: SiteReading, facts: Facts, *, duplicate: bool = False) -> Document:
    """All that is known of a page that has been read."""
    kept = tuple([block for block, keep in zip(markup.blocks, reading.kept, strict=False) if keep])
    dropped = tuple(
        [
            Dropped(block, reason)
            for block, keep, reason in zip(markup.blocks, reading.kept, reading.reasons, strict=False)
            if not keep
        ]
    )
    text = text_of(kept)
    return Document(
        url=url,
        title=title_of(markup, facts),
        text=text,
        language=language_of(markup.language, text),
        author=facts.author,
        published=facts.published,
        modified=facts.modified,
        description=facts.description,
        site_name=facts.site_name,
        canonical=markup.canonical,
        comments=text_of([drop.block for drop in dropped if drop.reason == COMMENT]),
        facts=facts.all,
        blocks=kept,
        dropped=dropped,
        duplicate=duplicate,
    )


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


def title_of(markup: Markup, facts: Facts) -> str:
    """The page's own title: the heading that the title repeats, without the name of the site."""
    whole = markup.title or facts.title
    known = _IS_HEADING.get
    for block in markup.blocks:
        told = known(block.path)
        if told is False or (told is None and not _is_heading(block.path)):
            continue
        if len(block.text) >= _SHORTEST_TITLE and block.text in whole:
            return block.text
    return facts.title if facts.title and facts.title in whole else whole


def _is_heading(path: str) -> bool:
    """Whether this path leads to a heading; cached as in `_is_close`."""
    if len(_IS_HEADING) >= _MOST_PATHS:
        _IS_HEADING.clear()
    heading = _IS_HEADING[path] = tag_of(path.rpartition(">")[2]) in {"h1", "h2"}
    return heading


def language_of(said: str, text: str) -> str:
    """The language that the text's script implies, otherwise the one the page names."""
    part = text[:_TELLING]
    if not part.isascii():
        least = max(1, int(len(part) * _LEAST_SHARE))
        if len(part.encode("utf-8", "surrogatepass")) - len(part) <= 2 * least:  # letters of these scripts take three
            return _said(said)
        rows = part.encode("utf-16-be", "surrogatepass")[::2]
        if _count(rows, _HANGUL) > least:
            return "ko"
        if _count(rows, _KANA_ROW) > least and len(_KANA.findall(part)) > least:
            return "ja"
        if _count(rows, _HAN) > least:
            return "zh"
    return _said(said)


def _said(language: str) -> str:
    return language.partition("-")[0].partition("_")[0].lower()


def _count(rows: bytes, wanted: bytes) -> int:
    return len(rows) - len(rows.translate(None, wanted))
