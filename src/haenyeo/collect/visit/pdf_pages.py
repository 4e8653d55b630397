"""PDFs as pages: what each says is put in its place as HTML, or why it says nothing.

The PDF itself is archived as it came, and the HTML beside it as what was made of it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec

from haenyeo.fetch.answers import never_a_page
from haenyeo.html.mime import essence
from haenyeo.model.visits import Answer, Outcome
from haenyeo.read.pdf.process import PdfProcess, can_read_pdfs

PDF = "application/pdf"
MAGIC = b"%PDF-"
NOT_READ = "PDF"
"""What the reasons of PDFs begin with that could not be read; what stood in the way follows behind a colon."""
SAYS = "as its PDF says"
"""The reason of pages that were read from a PDF."""


def is_pdf(answer: Answer) -> bool:
    """Whether an answer is a PDF that came whole."""
    return answer.outcome is Outcome.USELESS and answer.body[:1024].lstrip().startswith(MAGIC)


def nobody_reads(content_type: str) -> bool:
    """Whether bodies of this Content-Type are of no use to who reads PDFs."""
    return essence(content_type) != PDF and never_a_page(content_type)


class PdfPages:
    """Has PDFs read; to be closed."""

    def __init__(self) -> None:
        self._process = PdfProcess()

    async def read(self, answer: Answer) -> Answer:
        """The answer with what its PDF says, or with the reason why it says nothing."""
        found = await self._process.read(answer.body)
        if not found.html:
            return msgspec.structs.replace(answer, reason=f"{NOT_READ}: {found.reason}", body=b"")
        return from_pdf(answer, found.html.encode("utf-8", "replace"))

    async def close(self) -> None:
        """End the process that opens them."""
        await self._process.close()


@asynccontextmanager
async def reading_pdfs() -> AsyncIterator[PdfPages | None]:
    """Inside, who reads PDFs; None where the extra is not installed."""
    pages = PdfPages() if can_read_pdfs() else None
    try:
        yield pages
    finally:
        if pages is not None:
            await pages.close()


def from_pdf(answer: Answer, html: bytes) -> Answer:
    """The answer with the HTML that was made of its PDF."""
    return msgspec.structs.replace(answer, outcome=Outcome.PAGE, reason="", body=html, content_type=PDF, rendered=True)
