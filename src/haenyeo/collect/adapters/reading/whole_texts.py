"""What documents say that are all text, PDFs and Markdown: nothing on them is their site's, so nothing is left out."""

from __future__ import annotations

from haenyeo.html.parse import parse_html
from haenyeo.model.pages import Document, Markup, Url
from haenyeo.read.language import language_of
from haenyeo.read.markdown.pages import is_markdown

PDF = "application/pdf"


def is_whole_text(content_type: str, url: Url) -> bool:
    """Whether a page was such a document."""
    return content_type == PDF or is_markdown(content_type, url)


def said_by(markup: Markup, url: Url) -> Document:
    """What the HTML says that was made of a document."""
    text = "\n\n".join(block.text for block in markup.blocks)
    language = language_of(markup.language, text)
    return Document(url=url, title=markup.title, text=text, language=language, blocks=markup.blocks)


def whole_document(url: Url, html: str) -> Document:
    """The same for HTML that is not parsed yet."""
    return said_by(parse_html(html, url), url)
