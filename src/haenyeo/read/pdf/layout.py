"""From lines on paper to headings and paragraphs: by their size, their distance, and where they begin.

The size that most characters have is that of the text. A line set larger is a heading, as high as its size ranks. Lines
go on a paragraph as long as they have its size and stand right below each other.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import msgspec

LARGER = 1.12
"""How many times the size of the text a heading has at least."""
LONGEST_HEADING = 200
MOST_LEVELS = 4
_DISTANCE = 0.65
"""Of the line's height: what may lie between two lines of a paragraph."""

_BLANKS = re.compile(r"[ \t\u00a0\u3000]+")
_HYPHEN = re.compile(r"(\w)[\u00ad\u2010-]$")
_CJK = re.compile(r"[\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef]")
_WORD = re.compile(r"[^\W\d_]{2}")
_BULLET = re.compile(r"^(?:[\u2022\u25cf\u25aa\u25e6\u2023\u00b7*]|\(?\d{1,2}[.)])\s")


class PdfLine(msgspec.Struct, frozen=True):
    """A line of text with its place on the page (points, from below) and the size of its letters."""

    text: str
    left: float
    bottom: float
    top: float
    size: float


class PdfFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What a PDF says of itself."""

    title: str = ""
    author: str = ""
    created: str = ""
    modified: str = ""
    language: str = ""
    pages: int = 0


def as_html(pages: Iterable[Sequence[PdfLine]], facts: PdfFacts, links: Mapping[str, str] | None = None) -> str:
    """A page with the text of all pages; behind it, apart from the text, the addresses that it links to."""
    paragraphs = [paragraph for lines in pages for paragraph in _paragraphs(lines)]
    sizes = Counter[float]()
    for size, text in paragraphs:
        sizes[size] += len(text)
    normal = sizes.most_common(1)[0][0] if sizes else 0.0
    larger = sorted({size for size, _ in paragraphs if size > LARGER * normal}, reverse=True)
    levels = {size: min(rank, MOST_LEVELS) for rank, size in enumerate(larger, 1)}
    parts = [_element(text, levels.get(size, 0)) for size, text in _joined(paragraphs)]
    title = facts.title or _title([text for size, text in paragraphs if size in levels], paragraphs)
    return _document(title[:LONGEST_HEADING], facts, "\n".join(parts), _linked(links or {}))


def _title(headings: Iterable[str], paragraphs: Iterable[tuple[float, str]]) -> str:
    """The first heading that has a word in it; where all letters have one size, the first line that stands alone."""
    heading = next((text for text in headings if _WORD.search(text)), "")
    first = next((text for _, text in paragraphs if _WORD.search(text)), "")
    return heading or (first if len(first) <= LONGEST_HEADING else "")


def _linked(links: Mapping[str, str]) -> str:
    """Links without words of their own, so that they are followed and change nothing about the text."""
    return "".join(f'<a href="{html.escape(to)}" title="{html.escape(words)}"></a>\n' for to, words in links.items())


def _element(text: str, level: int) -> str:
    said = html.escape(text, quote=False)
    return f"<h{level}>{said}</h{level}>" if level and len(text) <= LONGEST_HEADING else f"<p>{said}</p>"


def _paragraphs(lines: Sequence[PdfLine]) -> list[tuple[float, str]]:
    """The paragraphs of a page, each with the size of its letters."""
    found: list[tuple[float, str]] = []
    last: PdfLine | None = None
    for line in lines:
        text = _BLANKS.sub(" ", line.text).strip()
        if not text:
            continue
        size = round(line.size * 2) / 2
        if last is not None and found and found[-1][0] == size and _goes_on(last, line, text):
            found[-1] = size, joined_lines(found[-1][1], text)
        else:
            found.append((size, text))
        last = line
    return found


def _goes_on(last: PdfLine, line: PdfLine, text: str) -> bool:
    """Whether a line is the next one of the same paragraph."""
    height = max(1.0, last.top - last.bottom, last.size)
    gap = last.bottom - line.top
    indented = line.left > last.left + 0.9 * height and not text[:1].islower()
    return -1.5 * height < gap < _DISTANCE * height and not indented and not _BULLET.match(text)


def joined_lines(before: str, after: str) -> str:
    """Two lines as one: a word that was divided is whole again, and Chinese and Japanese need no blank.

    >>> joined_lines("exam-", "ple"), joined_lines("two", "words")
    ('example', 'two words')
    """
    if _HYPHEN.search(before) and after[:1].islower():
        return before[:-1] + after
    if _CJK.match(before[-1:]) and _CJK.match(after[:1]) and not _is_hangul(before[-1]):
        return before + after
    return f"{before} {after}"


def _is_hangul(character: str) -> bool:
    return "\uac00" <= character <= "\ud7ff"


def _joined(paragraphs: Sequence[tuple[float, str]]) -> list[tuple[float, str]]:
    """The paragraphs with those that go on behind a page's or column's end put together."""
    result: list[tuple[float, str]] = []
    for size, text in paragraphs:
        if result and result[-1][0] == size and _HYPHEN.search(result[-1][1]) and text[:1].islower():
            result[-1] = size, joined_lines(result[-1][1], text)
        else:
            result.append((size, text))
    return result


def _document(title: str, facts: PdfFacts, body: str, links: str) -> str:
    told = {"author": facts.author, "article:published_time": facts.created, "article:modified_time": facts.modified}
    metas = "".join(
        f'<meta {"property" if ":" in name else "name"}="{name}" content="{html.escape(value)}">\n'
        for name, value in told.items()
        if value
    )
    language = f' lang="{html.escape(facts.language)}"' if facts.language else ""
    metas += f'<meta name="pages" content="{facts.pages}">'
    head = f'<meta charset="utf-8">\n<title>{html.escape(title)}</title>\n{metas}'
    return (
        f"<!DOCTYPE html>\n<html{language}>\n<head>\n{head}\n</head>\n"
        f"<body>\n<article>\n{body}\n</article>\n{links}</body>\n</html>\n"
    )
