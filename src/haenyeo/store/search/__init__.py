"""Which pages say this? A full-text index beside the collection, filled while a crawl waits, and when it is asked."""

from haenyeo.store.search.index import SearchIndex
from haenyeo.store.search.query import Hit, Hits, SearchQuery
from haenyeo.store.search.snippets import Snippet

__all__ = ["Hit", "Hits", "SearchIndex", "SearchQuery", "Snippet"]
