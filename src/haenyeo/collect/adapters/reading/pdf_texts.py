"""What a PDF said, out of the HTML that was made of it: all of it is its text, whatever else its site has."""

from __future__ import annotations

from haenyeo.html.parse import parse_page
from haenyeo.model.pages import Document, Url
from haenyeo.model.visits import Answer
from haenyeo.read.language import language_of

PDF = "application/pdf"


def said_by_pdf(answer: Answer) -> Document:
    """What a page that was a PDF says."""
    return pdf_document(answer.final_url, answer.body)


def pdf_document(url: Url, html: bytes) -> Document:
    """What the HTML says that was made of a PDF."""
    markup = parse_page(html, url, "text/html; charset=utf-8")
    text = "\n\n".join(block.text for block in markup.blocks)
    language = language_of(markup.language, text)
    return Document(url=url, title=markup.title, text=text, language=language, blocks=markup.blocks)
