"""The process that opens PDFs: it reads one from standard input, writes what it says to standard output, and so on.

A file made to do harm may crash or exhaust it, and nothing else. Each message is its length in eight bytes and itself.
"""

from __future__ import annotations

import contextlib
import re
import sys
from typing import Any, BinaryIO

import msgspec

from haenyeo.read.pdf.layout import PdfFacts, PdfLine, as_html
from haenyeo.read.pdf.links import links_of

MOST_PAGES = 2000
MOST_CHARACTERS = 5_000_000
LENGTH_BYTES = 8

ENCRYPTED, DAMAGED, NO_TEXT, TOO_LONG = "encrypted", "damaged", "no text in it", "too long"

_DATE = re.compile(r"D?:?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?")
_DIVIDED = re.compile(r"[\x02\ufffe](?=\w)")
_NO_CHARACTER = re.compile(r"[\x00-\x08\x0b-\x1f\ufffe\uffff]")
_PASSWORD_ERROR = 4
_UNTITLED = re.compile(r"untitled|\.(?:docx?|dvi|tex|indd|hwp|pptx?|xlsx?)$|^microsoft word", re.IGNORECASE)


class PdfText(msgspec.Struct, frozen=True, kw_only=True):
    """What a PDF says, as HTML, or why it says nothing."""

    html: str = ""
    reason: str = ""
    pages: int = 0


def read_pdf(data: bytes) -> PdfText:
    """What the PDF in these bytes says."""
    import pypdfium2 as pdfium

    try:
        document = pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        return PdfText(reason=ENCRYPTED if getattr(error, "err_code", None) == _PASSWORD_ERROR else DAMAGED)
    try:
        pages = len(document)
        lines = _lines_of(document, min(pages, MOST_PAGES))
        links = links_of(document, min(pages, MOST_PAGES))
        facts = _facts(document, pages)
    except (pdfium.PdfiumError, ValueError, OverflowError):
        return PdfText(reason=DAMAGED)
    finally:
        document.close()
    if not any(line.text.strip() for page in lines for line in page):
        return PdfText(reason=NO_TEXT, pages=pages)
    return PdfText(html=as_html(lines, facts, links), pages=pages, reason=TOO_LONG if pages > MOST_PAGES else "")


def _lines_of(document: Any, pages: int) -> list[list[PdfLine]]:
    import pypdfium2 as pdfium

    found: list[list[PdfLine]] = []
    characters = 0
    for number in range(pages):
        try:
            page = document[number]
            text = page.get_textpage()
        except pdfium.PdfiumError:
            continue
        lines = list(_lines(text))
        characters += sum(len(line.text) for line in lines)
        found.append(lines)
        text.close()
        page.close()
        if characters > MOST_CHARACTERS:
            break
    if not found and pages:
        raise ValueError("no page can be read")
    return found


def _lines(text: Any) -> list[PdfLine]:
    """The lines of a page in its order, each with its place."""
    from pypdfium2 import raw

    said: str = text.get_text_range() if text.count_chars() else ""
    lines, at = [], 0
    for part in re.split(r"(\r\n|\n|\r)", said):
        shown = _clean(part)
        if shown.strip():
            first = at + len(part) - len(part.lstrip())
            left, bottom, _, top = _box(text, first, at + len(part) - 1)
            lines.append(PdfLine(shown, left, bottom, top, raw.FPDFText_GetFontSize(text, first) or top - bottom))
        at += len(part)
    return lines


def _box(text: Any, first: int, last: int) -> tuple[float, float, float, float]:
    """The box of a line, by its first and its last character."""
    import pypdfium2 as pdfium

    boxes = []
    for index in {first, last}:
        with contextlib.suppress(pdfium.PdfiumError):
            boxes.append(text.get_charbox(index, loose=True))
    if not boxes:
        return 0.0, 0.0, 0.0, 0.0
    lefts, bottoms, rights, tops = zip(*boxes, strict=True)
    return min(lefts), min(bottoms), max(rights), max(tops)


def _clean(part: str) -> str:
    """The text without what stands for no character; a word that was divided at a line's end is whole again."""
    whole = _DIVIDED.sub("", part).replace("\x02", "-")
    return _NO_CHARACTER.sub("", whole)


def _facts(document: Any, pages: int) -> PdfFacts:
    said = document.get_metadata_dict(skip_empty=True)
    title = said.get("Title", "").strip()
    return PdfFacts(
        title="" if _UNTITLED.search(title) else title,
        author=said.get("Author", "").strip(),
        created=_date(said.get("CreationDate", "")),
        modified=_date(said.get("ModDate", "")),
        pages=pages,
    )


def _date(text: str) -> str:
    """A PDF's date as ISO 8601, as far as it goes; nothing for nonsense."""
    found = _DATE.match(text)
    if found is None:
        return ""
    year, month, day, hour, minute, second = found.groups()
    moment = f"T{hour}:{minute}:{second or '00'}" if day and hour and minute else ""
    return "-".join(part for part in (year, month, day) if part) + moment


def bounded_memory(most_bytes: int) -> None:
    """Let this process not take more memory, where systems can be told so."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (most_bytes, most_bytes))


def main(source: BinaryIO, target: BinaryIO, most_bytes: int) -> None:
    """Read PDFs until there are no more."""
    bounded_memory(most_bytes)
    while length := source.read(LENGTH_BYTES):
        data = source.read(int.from_bytes(length, "big"))
        try:
            told = msgspec.msgpack.encode(read_pdf(data))
        except MemoryError:
            told = msgspec.msgpack.encode(PdfText(reason=TOO_LONG))
        target.write(len(told).to_bytes(LENGTH_BYTES, "big") + told)
        target.flush()


if __name__ == "__main__":
    main(sys.stdin.buffer, sys.stdout.buffer, int(sys.argv[1]))
