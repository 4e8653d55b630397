"""What does a document look like as Markdown?"""

from haenyeo.read.markdown.document import with_markdown

__all__ = ["with_markdown"]
