"""Where does a PDF lead? The addresses behind its links, with the words that they stand on."""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Iterator
from typing import Any

MOST_LINKS = 2000
LONGEST_ADDRESS = 4096


def links_of(document: Any, pages: int) -> dict[str, str]:
    """The addresses that the first pages of an open PDF lead to, each with the words of its first link."""
    import pypdfium2 as pdfium

    found: dict[str, str] = {}
    for number in range(pages):
        with contextlib.suppress(pdfium.PdfiumError):
            page = document[number]
            for address, words in _links(document, page):
                found.setdefault(address, words)
            page.close()
        if len(found) >= MOST_LINKS:
            break
    return found


def _links(document: Any, page: Any) -> Iterator[tuple[str, str]]:
    from pypdfium2 import raw

    place, link = ctypes.c_int(0), raw.FPDF_LINK()
    text = page.get_textpage()
    try:
        for _ in range(MOST_LINKS):
            if not raw.FPDFLink_Enumerate(page.raw, ctypes.byref(place), ctypes.byref(link)):
                return
            address = _address(document, link)
            if address:
                yield address, _words(text, link)
    finally:
        text.close()


def _address(document: Any, link: Any) -> str:
    """The address that a link leads to on the web; empty if it leads elsewhere, such as to a page of the document."""
    from pypdfium2 import raw

    action = raw.FPDFLink_GetAction(link)
    if not action or raw.FPDFAction_GetType(action) != raw.PDFACTION_URI:
        return ""
    buffer = ctypes.create_string_buffer(LONGEST_ADDRESS)
    length = raw.FPDFAction_GetURIPath(document.raw, action, buffer, LONGEST_ADDRESS)
    address = buffer.value.decode("utf-8", "replace").strip() if length <= LONGEST_ADDRESS else ""
    return address if address.lower().startswith(("http://", "https://")) else ""


def _words(text: Any, link: Any) -> str:
    """What stands where the link is."""
    from pypdfium2 import raw

    box = raw.FS_RECTF()
    if not raw.FPDFLink_GetAnnotRect(link, ctypes.byref(box)):
        return ""
    said: str = text.get_text_bounded(left=box.left, bottom=box.bottom, right=box.right, top=box.top)
    return " ".join("".join(each for each in said if each.isprintable() or each.isspace()).split())
