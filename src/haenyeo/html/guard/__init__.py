"""What is made of a page before it is parsed, so that no parser is kept busy for ever?"""

from haenyeo.html.guard.page import MAX_CHARACTERS, OPTIONS, guarded, guarded_tree

__all__ = ["MAX_CHARACTERS", "OPTIONS", "guarded", "guarded_tree"]
