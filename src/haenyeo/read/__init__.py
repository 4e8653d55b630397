"""What does this page say? Clean text, learnt from the site itself."""

from __future__ import annotations

from haenyeo.read.extract import extract_site
from haenyeo.read.site.reader import SiteReader

__all__ = ["SiteReader", "extract_site"]
